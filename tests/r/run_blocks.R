# Runs the R blocks of a page in one session and writes them with what they print.
# Rscript run_blocks.R FILE: the blocks, each ended by a line "#### end". Lines "#>" are outputs;
# they are dropped and made anew. An error is shown as it is; a warning is an error.
options(warn = 2, width = 97, digits = 7)
grDevices::pdf(NULL)

shown <- function(expression) {
  output <- utils::capture.output({
    problem <- tryCatch({
      value <- withVisible(eval(expression, globalenv()))
      if (value$visible) print(value$value)
      NULL
    }, error = function(e) paste("Error:", conditionMessage(e)))
  })
  lines <- c(output, if (!is.null(problem)) strsplit(problem, "\n", fixed = TRUE)[[1]])
  if (length(lines)) sub(" +$", "", paste("#>", lines)) else character()
}

run <- function(block) {
  block <- block[!startsWith(block, "#>")]
  code <- parse(text = block, keep.source = TRUE)
  ends <- vapply(attr(code, "srcref"), function(r) r[[3]], 0L)
  written <- character()
  from <- 1L
  for (i in seq_along(code)) {
    if (ends[[i]] >= from) written <- c(written, block[from:ends[[i]]])
    from <- ends[[i]] + 1L
    written <- c(written, shown(code[[i]]))
  }
  if (from <= length(block)) written <- c(written, block[from:length(block)])
  written
}

lines <- readLines(commandArgs(TRUE)[[1]], encoding = "UTF-8")
marks <- which(lines == "#### end")
starts <- c(1L, utils::head(marks, -1L) + 1L)
for (i in seq_along(marks)) {
  block <- if (starts[[i]] < marks[[i]]) lines[starts[[i]]:(marks[[i]] - 1L)] else character()
  writeLines(enc2utf8(c(run(block), "#### end")), useBytes = TRUE)
}
