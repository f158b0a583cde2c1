library(testthat)
library(softclust)

test_check("softclust")
