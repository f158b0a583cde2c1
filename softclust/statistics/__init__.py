"""Drivers: statistics of one or two clusterings, computed by kernels on threads.

``counting`` contingency tables; ``information`` entropies of these; ``pairs`` sums over pairs of
objects; ``bilinear`` the same without a pair loop; ``restriction`` object-by-cluster costs.
"""
