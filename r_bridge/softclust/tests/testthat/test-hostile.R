# A saved result may come from a stranger: no part of it makes Python or R run what it names.
test_that("every part of every saved object may be hostile", {
  require_python()
  skip_if(!nzchar(system.file(package = "softclust")), "the package is not installed")
  found <- attack(saved_results())
  expect_identical(found$ran, character())
  expect_match(found$tried, "^tried [0-9]{3,}")   # the child came to its end
  # What runs nothing now and did before, with all contents.
  found <- attack(saved_results(c("sums", "counts")), all = TRUE)
  expect_identical(found$ran, character())
  expect_match(found$tried, "^tried [0-9]{3,}")
})
