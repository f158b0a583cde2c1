r"""What docstrings of measures share: equations, relatives, articles.

`_docstrings` puts them into the docstrings. An entry is the equation in LaTeX, the key of the words
that explain its letters, the names of related measures, and the keys of articles that the
docstring itself does not cite.
"""

from __future__ import annotations

#: what the letters of an equation mean
LETTERS = {
    "": "",
    "pairs": "with the numbers of pairs of objects together in both (n11), in x only (n10), in y "
             "only (n01) and in neither (n00), and N their sum.",
    "degrees": "with sums of degrees over pairs of objects: together in both (n11), in x only "
               "(n10), in y only (n01), in neither (n00); see `fuzzy_pair_counts`.",
    "table": "with the contingency table T, its row sums a and column sums b.",
    "entropy": "with I the mutual information and H the entropy of cluster sizes, in nats.",
    "joint": "with the joint table g = U'V / n of memberships, its margins p and q, and their "
             "entropies H.",
    "product": "with C = U'V, the product of the membership matrices, its row sums a and column "
               "sums b.",
    "memberships": "with membership matrices U and V, and P the best order of the columns.",
    "laws": "with the minimum over couplings of the laws of two random rough clusterings R and R'; "
            "d0 forgives ambiguity, d1 counts it as error.",
    "candidates": "with T_i the candidates of object i.",
    "entropies": "with h the logical entropy, the chance that two random objects are apart.",
    "masses": "with m_i the masses of object i on sets of clusters.",
    "counts": "with c_x(i, j) the number of clusters of x that hold both objects, and the mean "
              "over all pairs.",
    "clusters": "with X_k and Y_l the clusters that are not empty.",
    "walks": "with p_i and q_i the probabilities of where walks from object i end.",
    "index": "with E the mean of the index S over all permutations of the objects.",
    "restricted": "with r_alpha the dissimilarity of the masses of object i on {k, not k}, and tau "
                  "a matching of the clusters.",
    "r_alpha": "with r_alpha the dissimilarity of the two masses on {together, apart} of a pair.",
}

#: family -> the page of docs/theory that defines its measures
PAGES = {
    "anderson": "soft-measures", "chance_corrected": "soft-pairs", "concordance": "soft-measures",
    "covers": "covers-and-trees", "element_centric": "covers-and-trees",
    "frobenius": "soft-measures", "fuzzy_information": "soft-measures",
    "fuzzy_pairs": "soft-measures", "information": "hard-measures", "mallows": "soft-measures",
    "membership_matching": "soft-measures", "pair_counting": "hard-measures",
    "pair_shares": "hard-measures", "rough": "soft-measures", "set_matching": "hard-measures",
    "set_overlaps": "hard-measures", "soft_pairs": "soft-pairs", "transport": "transport",
    "uncertainty": "soft-pairs",
}

ANDERSON = ("anderson_rand_index", "anderson_adjusted_rand_index", "anderson_jaccard_index")
#: name -> (equation, letters, related measures, articles)
SECTIONS: dict[str, tuple[str, str, tuple[str, ...], tuple[str, ...]]] = {
    "anderson_rand_index": (
        r"\frac{\frac{1}{2}(\sum C^2 - \sum C) + \frac{1}{2}(n^2 + \sum C^2 - \sum a^2 - \sum b^2)}"
        r"{n(n-1)/2}", "product", (*ANDERSON[1:], "frobenius_rand_index"), ()),
    "anderson_adjusted_rand_index": (
        r"\frac{A - E}{M - E}, \quad A = \sum \tfrac{C(C-1)}{2}, \quad"
        r" E = \frac{\sum \frac{a(a-1)}{2} \sum \frac{b(b-1)}{2}}{n(n-1)/2}, \quad"
        r" M = \tfrac{1}{2} \left( \sum \tfrac{a(a-1)}{2} + \sum \tfrac{b(b-1)}{2} \right)",
        "product", ("anderson_rand_index", "frobenius_adjusted_rand_index"), ()),
    "anderson_jaccard_index": (
        r"\frac{\sum C^2 - \sum C}{\sum a^2 + \sum b^2 - \sum C^2 - \sum C}", "product",
        ("anderson_rand_index", "fuzzy_jaccard_index"), ()),
    "adjusted_concordance_index": (
        r"\frac{S - E}{1 - E}", "index",
        ("concordance_index", "frobenius_adjusted_rand_index", "fuzzy_adjusted_rand_index"), ()),
    "adjusted_credal_rand_index": (
        r"\frac{S - E}{1 - E}", "index", ("credal_rand_index", "adjusted_alpha_rand_index"), ()),
    "adjusted_alpha_rand_index": (
        r"\frac{S - E}{1 - E}", "index", ("alpha_rand_index", "adjusted_credal_rand_index"), ()),
    "concordance_index": (
        r"1 - \frac{2}{n(n-1)} \sum_{i<j} | d(u_i, u_j) - d(v_i, v_j) |", "",
        ("adjusted_concordance_index", "fuzzy_rand_index", "frobenius_rand_index"), ()),
    "cover_rand_index": (
        r"O = \mathrm{mean}_{i<j} [c_x(i, j) = c_y(i, j)]", "counts",
        ("omega_index", "rand_index", "bcubed_index"), ()),
    "omega_index": (
        r"\frac{O - E}{1 - E}, \quad O = \mathrm{mean}_{i<j} [c_x(i, j) = c_y(i, j)]", "counts",
        ("cover_rand_index", "adjusted_rand_index", "adjusted_element_centric_index"), ()),
    "overlapping_normalized_mutual_information": (
        r"\frac{\frac{1}{2} (H(X) - H(X|Y) + H(Y) - H(Y|X))}{\max(H(X), H(Y))}, \quad"
        r" H(X|Y) = \sum_k \min(H(X_k), \min_l H(X_k|Y_l))", "clusters",
        ("best_match_index", "omega_index", "normalized_mutual_information"), ()),
    "best_match_index": (
        r"\frac{1}{2} \left( \mathrm{mean}_k \max_l \frac{2 |X_k \cap Y_l|}{|X_k| + |Y_l|}"
        r" + \mathrm{mean}_l \max_k \frac{2 |X_k \cap Y_l|}{|X_k| + |Y_l|} \right)", "clusters",
        ("larsen_aone_index", "overlapping_normalized_mutual_information"), ()),
    "bcubed_index": (
        r"\frac{2 P R}{P + R}, \quad P = \mathrm{mean}_i \mathrm{mean}_{j: c_x(i, j) > 0}"
        r" \frac{\min(c_x(i, j), c_y(i, j))}{c_x(i, j)}", "counts",
        ("omega_index", "element_centric_index"), ()),
    "element_centric_index": (
        r"\frac{1}{n} \sum_i \left( 1 - \frac{1}{2} \sum_j | p_{ij} - q_{ij} | \right)", "walks",
        ("adjusted_element_centric_index", "element_centric", "bcubed_index"), ()),
    "adjusted_element_centric_index": (
        r"\frac{S - E}{1 - E}", "index",
        ("element_centric_index", "adjusted_rand_index", "omega_index"), ()),
    "frobenius_rand_index": (
        r"1 - \frac{1}{n(n-1)} \left\| \frac{S_U}{q_U} UU' - \frac{S_V}{q_V} VV' \right\|_F^2,"
        r" \quad S_U = \sum UU', \quad q_U = \| UU' \|_F^2", "",
        ("frobenius_adjusted_rand_index", "concordance_index"), ()),
    "frobenius_adjusted_rand_index": (
        r"\frac{S - E}{1 - E}", "index",
        ("frobenius_rand_index", "adjusted_concordance_index", "adjusted_rand_index"), ()),
    "fuzzy_mutual_information": (
        r"\sum_{kl} g_{kl} \log \frac{g_{kl}}{p_k q_l}", "joint",
        ("fuzzy_normalized_mutual_information", "mutual_information"), ()),
    "fuzzy_normalized_mutual_information": (
        r"\frac{I}{\mathrm{average}(H(p), H(q))}, \quad"
        r" I = \sum_{kl} g_{kl} \log \frac{g_{kl}}{p_k q_l}", "joint",
        ("fuzzy_mutual_information", "normalized_mutual_information"), ("lei",)),
    "fuzzy_variation_of_information": (
        r"H(p) + H(q) - 2 \sum_{kl} g_{kl} \log \frac{g_{kl}}{p_k q_l}", "joint",
        ("fuzzy_mutual_information", "variation_of_information"), ("lei",)),
    "fuzzy_rand_index": (
        r"\frac{n_{11} + n_{00}}{n_{11} + n_{10} + n_{01} + n_{00}}", "degrees",
        ("fuzzy_adjusted_rand_index", "rand_index", "concordance_index"), ("campello", "frigui")),
    "fuzzy_adjusted_rand_index": (
        r"\frac{2 (n_{11} n_{00} - n_{10} n_{01})}"
        r"{n_{10}^2 + n_{01}^2 + 2 n_{11} n_{00} + (n_{11} + n_{00})(n_{10} + n_{01})}", "degrees",
        ("fuzzy_rand_index", "adjusted_rand_index", "frobenius_adjusted_rand_index"),
        ("campello", "brouwer")),
    "fuzzy_jaccard_index": (
        r"\frac{n_{11}}{n_{11} + n_{10} + n_{01}}", "degrees",
        ("jaccard_index", "fuzzy_fowlkes_mallows_index"), ("campello", "brouwer")),
    "fuzzy_fowlkes_mallows_index": (
        r"\frac{n_{11}}{\sqrt{(n_{11} + n_{10})(n_{11} + n_{01})}}", "degrees",
        ("fowlkes_mallows_index", "fuzzy_jaccard_index"), ("campello", "frigui")),
    "fuzzy_gamma_index": (
        r"\frac{N n_{11} - (n_{11} + n_{10})(n_{11} + n_{01})}"
        r"{\sqrt{(n_{11} + n_{10})(n_{11} + n_{01})(n_{01} + n_{00})(n_{10} + n_{00})}}", "degrees",
        ("fuzzy_adjusted_rand_index", "katz_powell_index"), ("campello",)),
    "fuzzy_minkowski_dissimilarity": (
        r"\sqrt{\frac{n_{10} + n_{01}}{n_{11} + n_{10}}}", "degrees",
        ("fuzzy_rand_index", "fuzzy_jaccard_index"), ("campello",)),
    "rough_rand_index": (
        r"\frac{n_{11} + n_{00}}{n_{11} + n_{10} + n_{01} + n_{00}}, \quad"
        r" u_{ik} = \frac{1}{|T_i|} \text{ for } k \in T_i", "candidates",
        ("fuzzy_rand_index", "alpha_rand_interval"), ()),
    "mutual_information": (
        r"\sum_{kl} \frac{T_{kl}}{n} \log \frac{n T_{kl}}{a_k b_l}", "table",
        ("normalized_mutual_information", "adjusted_mutual_information"), ("shannon", "vinh")),
    "normalized_mutual_information": (
        r"\frac{I(x, y)}{\mathrm{average}(H(x), H(y))}", "entropy",
        ("adjusted_mutual_information", "normalized_information_distance"), ("vinh",)),
    "adjusted_mutual_information": (
        r"\frac{I(x, y) - \mathrm{E} I}{\mathrm{average}(H(x), H(y)) - \mathrm{E} I}", "entropy",
        ("adjusted_rand_index", "normalized_mutual_information"), ("vinh",)),
    "variation_of_information": (
        r"2 H(x, y) - H(x) - H(y) = H(x) + H(y) - 2 I(x, y)", "entropy",
        ("normalized_variation_of_information", "fuzzy_variation_of_information"), ("meila",)),
    "normalized_variation_of_information": (
        r"1 - \frac{I(x, y)}{H(x, y)}", "entropy",
        ("variation_of_information", "normalized_information_distance"), ()),
    "normalized_information_distance": (
        r"1 - \frac{I(x, y)}{\max(H(x), H(y))}", "entropy",
        ("normalized_variation_of_information", "normalized_mutual_information"), ()),
    "mallows_distance": (
        r"\left( \min_W \sum_{kl} W_{kl} \sum_i | u_{ik} - v_{il} |^p \right)^{1/p}", "",
        ("euclidean_membership_distance", "manhattan_membership_distance"), ()),
    "euclidean_membership_distance": (
        r"\min_P \| U - V P \|_F", "memberships",
        ("euclidean_membership_index", "manhattan_membership_distance"), ()),
    "euclidean_membership_index": (
        r"1 - \frac{\min_P \| U - V P \|_F}{\sqrt{2 n}}", "memberships",
        ("euclidean_membership_distance", "matched_cosine_index"), ()),
    "manhattan_membership_distance": (
        r"\min_P \sum_{ik} | U - V P |_{ik}", "memberships",
        ("manhattan_membership_index", "euclidean_membership_distance"), ()),
    "manhattan_membership_index": (
        r"1 - \frac{1}{2 n} \min_P \sum_{ik} | U - V P |_{ik}", "memberships",
        ("manhattan_membership_distance", "euclidean_membership_index"), ()),
    "matched_cosine_index": (
        r"\frac{\sum_{ik} U_{ik} (V P)_{ik}}{\sqrt{\sum U^2 \sum V^2}}", "memberships",
        ("euclidean_membership_index", "coclassification_index"), ()),
    "coclassification_index": (
        r"\frac{1}{n} \sum_{ik} U_{ik} (V P)_{ik}", "memberships",
        ("matched_cosine_index", "normalized_accuracy_index"), ()),
    "comembership_dissimilarity": (
        r"\| U U' - V V' \|_F", "", ("frobenius_rand_index", "symmetric_difference_distance"), ()),
    "gordon_vichi_dissimilarity": (
        r"\sqrt{ \min_{\tau} \sum_k \| u_{\cdot k} - v_{\cdot \tau(k)} \|^2 }", "",
        ("euclidean_membership_distance", "mallows_distance"), ()),
    "rand_index": (
        r"\frac{n_{11} + n_{00}}{N}", "pairs", ("adjusted_rand_index", "rand_distance"), ()),
    "rand_distance": (
        r"\frac{n_{10} + n_{01}}{N}", "pairs", ("rand_index", "symmetric_difference_distance"),
        ("rand", "barthelemy")),
    "symmetric_difference_distance": (
        r"n_{10} + n_{01}", "pairs", ("rand_distance", "transfer_distance"), ("mirkin",)),
    "adjusted_rand_index": (
        r"\frac{2 (n_{11} n_{00} - n_{10} n_{01})}"
        r"{(n_{11} + n_{10})(n_{10} + n_{00}) + (n_{11} + n_{01})(n_{01} + n_{00})}", "pairs",
        ("rand_index", "adjusted_mutual_information", "frobenius_adjusted_rand_index"), ()),
    "jaccard_index": (
        r"\frac{n_{11}}{n_{11} + n_{10} + n_{01}}", "pairs",
        ("fowlkes_mallows_index", "fuzzy_jaccard_index"), ("jaccard",)),
    "fowlkes_mallows_index": (
        r"\frac{n_{11}}{\sqrt{(n_{11} + n_{10})(n_{11} + n_{01})}}", "pairs",
        ("adjusted_fowlkes_mallows_index", "wallace_index"), ()),
    "adjusted_fowlkes_mallows_index": (
        r"\frac{F - E}{1 - E}, \quad F = \frac{n_{11}}{\sqrt{(n_{11} + n_{10})(n_{11} + n_{01})}},"
        r" \quad E = \frac{\sqrt{(n_{11} + n_{10})(n_{11} + n_{01})}}{N}", "pairs",
        ("fowlkes_mallows_index", "adjusted_rand_index"), ("hubert", "fowlkes")),
    "katz_powell_index": (
        r"\frac{n^2 S - A B}{\sqrt{A (n^2 - A) B (n^2 - B)}}, \quad"
        r" S = \sum T^2, \; A = \sum a^2, \; B = \sum b^2", "table",
        ("adjusted_rand_index", "fuzzy_gamma_index"), ()),
    "wallace_index": (
        r"\frac{n_{11}}{n_{11} + n_{10}}", "pairs",
        ("fowlkes_mallows_index", "prediction_strength_index"), ()),
    "prediction_strength_index": (
        r"\min_k \frac{\sum_l T_{kl} (T_{kl} - 1)}{a_k (a_k - 1)}", "table",
        ("wallace_index", "purity_index"), ()),
    "logical_entropy_interval": (
        r"\left[ \min_C h(C), \max_C h(C) \right], \quad h(C) = 1 - \sum_k (n_k / n)^2", "",
        ("expected_logical_entropy", "mutual_information_interval"), ()),
    "expected_logical_entropy": (
        r"\frac{2}{n^2} \sum_{i<j} \left( 1 - \frac{|T_i \cap T_j|}{|T_i| \, |T_j|} \right)",
        "candidates", ("logical_entropy_interval", "soft_logical_mutual_information"),
        ("orthopartitions",)),
    "mutual_information_interval": (
        r"\left[ \min_{C, D} I(C, D), \max_{C, D} I(C, D) \right], \quad"
        r" I(C, D) = H(C) + H(D) - H(C \wedge D)", "",
        ("soft_average_mutual_information", "mutual_information"), ("orthopartitions",)),
    "soft_average_mutual_information": (
        r"\frac{\bar h(x) + \bar h(y) - \bar h(x \wedge y)}{\mathrm{divisor}}, \quad"
        r" \bar h = \tfrac{1}{2} (\min h + \max h)", "entropies",
        ("logical_entropy_interval", "soft_logical_mutual_information"), ("orthopartitions",)),
    "soft_logical_mutual_information": (
        r"\frac{h(x) + h(y) - h(x \wedge y)}{\mathrm{divisor}}", "entropies",
        ("expected_logical_entropy", "soft_average_mutual_information"), ("orthopartitions",)),
    "rough_purity_index": (
        r"\frac{1}{n} \sum_k \max_l \sum_i u_{ik} v_{il}, \quad"
        r" u_{ik} = \frac{1}{|T_i|} \text{ for } k \in T_i", "candidates",
        ("purity_index", "rough_rand_index"), ("orthopartitions",)),
    "partition_distance": (
        r"\frac{n - \max_\tau \sum_k T_{k \tau(k)}}{n - 1}", "table",
        ("transfer_distance", "alpha_partition_dissimilarity"), ()),
    "transfer_distance": (
        r"n - \max_\tau \sum_k T_{k \tau(k)}", "table",
        ("partition_distance", "lattice_distance"), ("regnier", "boorman")),
    "normalized_accuracy_index": (
        r"\frac{A - 1/c}{1 - 1/c}, \quad A = \frac{1}{n} \max_\tau \sum_k T_{k \tau(k)}", "table",
        ("adjusted_asymmetric_accuracy_index", "coclassification_index"), ("gagolewski",)),
    "adjusted_asymmetric_accuracy_index": (
        r"\frac{m - 1/r}{1 - 1/r}, \quad m = \max_\tau \frac{1}{r} \sum_k"
        r" \frac{T_{k \tau(k)}}{a_k}", "table", ("normalized_accuracy_index", "pair_sets_index"),
        ()),
    "pair_sets_index": (
        r"\max \left( 0, \frac{w - E}{c - E} \right), \quad"
        r" w = \max_\tau \sum_k \frac{T_{k \tau(k)}}{\max(a_k, b_{\tau(k)})}", "table",
        ("normalized_accuracy_index", "adjusted_asymmetric_accuracy_index"), ()),
    "alpha_partition_dissimilarity": (
        r"d_\alpha = \frac{1}{2(n-1)} \min_\tau \sum_k \sum_i"
        r" r_\alpha(m_{ik}, m'_{i \tau(k)})", "restricted",
        ("alpha_partition_interval", "partition_distance"), ()),
    "alpha_partition_interval": (
        r"\left[ d_0, d_1 \right], \quad d_\alpha = \frac{1}{2(n-1)} \min_\tau \sum_k \sum_i"
        r" r_\alpha(m_{ik}, m'_{i \tau(k)})", "restricted",
        ("alpha_partition_dissimilarity", "alpha_rand_interval"), ("campagner",)),
    "purity_index": (
        r"\frac{1}{n} \sum_k \max_l T_{kl}", "table", ("wallace_index", "rough_purity_index"), ()),
    "van_dongen_distance": (
        r"2 n - \sum_k \max_l T_{kl} - \sum_l \max_k T_{kl}", "table",
        ("purity_index", "transfer_distance"), ()),
    "larsen_aone_index": (
        r"\frac{1}{r} \sum_k \max_l \frac{2 T_{kl}}{a_k + b_l}", "table",
        ("purity_index", "pair_sets_index"), ()),
    "lattice_distance": (
        r"r + s - 2 \, |x \vee y|", "", ("transfer_distance", "variation_of_information"), ()),
    "alpha_rand_index": (
        r"1 - \frac{2}{n(n-1)} \sum_{i<j} r_\alpha(i, j)", "r_alpha",
        ("alpha_rand_interval", "adjusted_alpha_rand_index", "credal_rand_index"), ()),
    "alpha_rand_interval": (
        r"\left[ R_1, R_0 \right], \quad"
        r" R_\alpha = 1 - \frac{2}{n(n-1)} \sum_{i<j} r_\alpha(i, j)", "r_alpha",
        ("alpha_rand_index", "transport_rand_index"), ("campagner",)),
    "credal_rand_index": (
        r"1 - \frac{2}{n(n-1)} \sum_{i<j} d(m_{ij}, m'_{ij})", "",
        ("adjusted_credal_rand_index", "alpha_rand_index"), ()),
    "transport_dissimilarity": (
        r"\min \mathrm{E} \, d_\alpha(R, R'), \quad"
        r" d_\alpha = (1 - \alpha) d_0 + \alpha d_1", "laws",
        ("transport_rand_index", "expected_index", "alpha_partition_interval"), ()),
    "transport_rand_index": (
        r"1 - \min \mathrm{E} \, d_\alpha(R, R'), \quad"
        r" d_\alpha = (1 - \alpha) d_0 + \alpha d_1", "laws",
        ("transport_dissimilarity", "alpha_rand_interval"), ()),
    "nonspecificity": (
        r"\frac{1}{n \log c} \sum_i \left( \sum_{A \ne \emptyset} m_i(A) \log |A|"
        r" + m_i(\emptyset) \log c \right)", "masses", ("pair_nonspecificity", "fuzziness"),
        ("masson", "campagner")),
    "membership_entropy": (
        r"\frac{1}{n} \sum_i S(u_i), \quad S(u_i) = - \sum_k u_{ik} \log u_{ik}", "",
        ("fuzziness", "nonspecificity"), ("quetti",)),
    "pair_nonspecificity": (
        r"\frac{2}{n(n-1)} \sum_{i<j} \left( m_{ij}(\{\mathrm{together}, \mathrm{apart}\})"
        r" + m_{ij}(\emptyset) \right)", "", ("nonspecificity", "credal_rand_index"), ()),
    "fuzziness": (
        r"\frac{1 - \frac{1}{n} \sum_{ik} u_{ik}^2}{1 - 1/c} \quad \text{or} \quad"
        r" \frac{- \frac{1}{n} \sum_{ik} u_{ik} \log u_{ik}}{\log c}", "",
        ("membership_entropy", "nonspecificity"), ()),
}

ARTICLES = {
    "barthelemy": "J.-P. Barthelemy, B. Leclerc (1995), The median procedure for partitions, "
                  "DIMACS Series in Discrete Mathematics 19, 3-34.",
    "boorman": "S. A. Boorman, P. Arabie (1972), Structural measures and the method of sorting, "
               "in: R. N. Shepard et al., Multidimensional Scaling 1, 225-249.",
    "brouwer": "R. K. Brouwer (2009), Extending the Rand, adjusted Rand and Jaccard indices to "
               "fuzzy partitions, Journal of Intelligent Information Systems 32, 213-235.",
    "campagner": "A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating "
                 "and comparing soft clusterings, Information Sciences 623, 70-93.",
    "campello": "R. J. G. B. Campello (2007), A fuzzy extension of the Rand index and other "
                "related indexes for clustering and classification assessment, Pattern "
                "Recognition Letters 28, 833-841.",
    "fowlkes": "E. B. Fowlkes, C. L. Mallows (1983), A method for comparing two hierarchical "
               "clusterings, Journal of the American Statistical Association 78, 553-569.",
    "frigui": "H. Frigui, C. Hwang, F. C.-H. Rhee (2007), Clustering and aggregation of relational "
              "data with applications to image database categorization, Pattern Recognition 40, "
              "3053-3068.",
    "gagolewski": "M. Gagolewski (2023), Normalised clustering accuracy: an asymmetric external "
                  "cluster validity measure, arXiv 2209.02935.",
    "hubert": "L. Hubert, P. Arabie (1985), Comparing partitions, Journal of Classification 2, "
              "193-218.",
    "jaccard": "P. Jaccard (1901), Distribution de la flore alpine dans le bassin des Dranses et "
               "dans quelques regions voisines, Bulletin de la Societe Vaudoise des Sciences "
               "Naturelles 37, 241-272.",
    "lei": "Y. Lei, J. C. Bezdek, J. Chan, N. X. Vinh, S. Romano, J. Bailey (2017), Extending "
           "information-theoretic validity indices for fuzzy clustering, IEEE Transactions on "
           "Fuzzy Systems 25, 1013-1018.",
    "masson": "M.-H. Masson, T. Denoeux (2008), ECM: an evidential version of the fuzzy c-means "
              "algorithm, Pattern Recognition 41, 1384-1397.",
    "meila": "M. Meila (2007), Comparing clusterings: an information based distance, Journal of "
             "Multivariate Analysis 98, 873-895.",
    "mirkin": "B. G. Mirkin, L. B. Chernyi (1970), Measurement of the distance between distinct "
              "partitions of a finite set of objects, Automation and Remote Control 31, 786-792.",
    "orthopartitions": "A. Campagner, D. Ciucci (2019), Orthopartitions and soft clustering: soft "
                       "mutual information measures for clustering validation, Knowledge-Based "
                       "Systems 180, 51-61.",
    "quetti": "F. M. Quetti, S. Figini, E. Ballante (2024), A Bayesian approach to clustering via "
              "the proper Bayesian bootstrap: the Bayesian bagged clustering (BBC) algorithm, "
              "arXiv 2409.08954.",
    "rand": "W. M. Rand (1971), Objective criteria for the evaluation of clustering methods, "
            "Journal of the American Statistical Association 66, 846-850.",
    "regnier": "S. Regnier (1965), Sur quelques aspects mathematiques des problemes de "
               "classification automatique, ICC Bulletin 4, 175-191.",
    "shannon": "C. E. Shannon (1948), A mathematical theory of communication, Bell System "
               "Technical Journal 27, 379-423.",
    "vinh": "N. X. Vinh, J. Epps, J. Bailey (2010), Information theoretic measures for clusterings "
            "comparison, Journal of Machine Learning Research 11, 2837-2854.",
}
