# The border to Python. Other files call these functions and nothing of reticulate:
#
#   front_call(command, ..., seed)  runs a command of r_bridge/_front*.py (a function under
#                          `@command`) with the arguments given by name and returns its value.
#                          Arguments: NULL, vectors, arrays, factors (as strings), lists, data
#                          frames (as lists of columns), clusterings from sc_clustering(),
#                          ensembles from sc_ensemble(). A double of length 1 that is whole
#                          reaches Python as int; other vectors of length 1 as scalars, unless
#                          wrapped by as_vector(). Values: vectors, arrays (double; counts too),
#                          lists, data frames, clusterings, ensembles, NULL. `seed` is left out
#                          when NULL: functions that draw pass seed = draw_seed(seed).
#                          A Python error becomes an R error of classes softclust_<Type>,
#                          softclust_error; a Python warning a warning of classes
#                          softclust_<Type>, softclust_warning.
#   draw_seed(seed)        a seed given by the user, checked; NULL draws one from R's generator.
#   run(name, ...)         calls a public function of softclust, also of a class ("Ensemble.from_runs")
#                          and then a method of its value; record_of() makes a result of it.
#   made(name, ...)        an argument that a function of softclust makes in Python.
#   new_result(fields, class, seed)  a result: plain list of class c(class, "sc_result") with
#                          `seed` (if any) and `versions` appended.
#   as_vector(x)           a vector that stays one in Python, also with length 1.
#   dots(...)              the options in `...` as a named list; an error if one has no name.
#   stop_softclust(type, ...)  an R error of classes softclust_<type>, softclust_error.
#
# Labels count from 1 in R and from 0 in Python; r_bridge/_front*.py shift them, and bagging.R the
# draws of R's own clusterers. A NULL is left out by run(); made() and dots() send it as None.

.state <- new.env(parent = emptyenv())

# -- conditions ---------------------------------------------------------------------------------
stop_softclust <- function(type, ..., call = NULL) {
  stop(structure(
    class = c(paste0("softclust_", type), "softclust_error", "error", "condition"),
    list(message = paste0(...), call = call)
  ))
}

warn_softclust <- function(type, message) {
  warning(structure(
    class = c(paste0("softclust_", type), "softclust_warning", "warning", "condition"),
    list(message = message, call = NULL)
  ))
}

# -- calling ------------------------------------------------------------------------------------
front_call <- function(command, ..., seed = NULL) {
  arguments <- lapply(list(...), encode)
  if (!is.null(seed)) arguments$seed <- encode(seed)
  # Without names it would reach Python as a list.
  if (!length(arguments)) arguments <- named_list()
  front()
  answer <- answer_of(.state$module$Job(command, arguments))
  for (i in seq_along(answer$types)) warn_softclust(answer$types[[i]], answer$texts[[i]])
  if (!is.null(answer$error)) stop_softclust(answer$error[[1L]], answer$error[[2L]])
  decode(answer$value)
}

# do.call() evaluates arguments that are language, such as quote(system("...")) in an object that was
# read from a file; here they stay what they are.
call_with <- function(what, arguments) do.call(what, arguments, quote = TRUE)

# as.data.frame() of a list evaluates them, too.
data_only <- function(x) {
  if (any(rapply(list(x), is.language, how = "unlist"))) {
    stop_softclust("TypeError", "the result contains code in place of numbers; compute it again")
  }
}

# Calls the function of softclust of this name with the arguments that are not NULL, and the options
# of the dots, which errors call the options of `what`. `kmeans` says that it takes k-means as its
# clusterer; `then` has the name of a method of the value, which is called too, and its arguments.
run <- function(name, ..., options = NULL, sides = list(), kmeans = NULL, seed = NULL, then = NULL,
                what = NULL) {
  front_call("run", name = name, arguments = as_dict(given(...)), options = options,
             sides = sides, kmeans = kmeans, seed = seed, then = then[[1L]],
             after = as_dict(given_in(as.list(then)[-1L])), what = what)
}

# The same for a function whose value is a record. With `maybe` the function may draw nothing.
record_of <- function(name, class, ..., seed = NULL, maybe = FALSE) {
  drawn <- if (maybe) with_seed(seed, TRUE, function(seed) run(name, ..., seed = seed))
           else list(value = run(name, ..., seed = seed), seed = seed)
  new_result(drawn$value, class, drawn$seed)
}

# Names for some parts of a result, for the rows of those that are matrices or tables; a list has
# those of rows and columns.
name_parts <- function(found, names, ...) {
  for (part in intersect(c(...), names(given_in(unclass(found))))) {
    if (is.list(names)) dimnames(found[[part]]) <- names
    else if (inherits(found[[part]], "sc_clustering")) found[[part]] <- with_objects(found[[part]], names)
    else if (is.matrix(found[[part]])) rownames(found[[part]]) <- names
    else if (!is.data.frame(found[[part]])) names(found[[part]]) <- names
    else if (!is.null(names)) rownames(found[[part]]) <- names
  }
  found
}

# Waits for a job of Python and looks for Ctrl-C and for limits of time meanwhile, as those of
# setTimeLimit() and R.utils::withTimeout(). Python ends the job when R leaves early.
answer_of <- function(job) {
  reached <- FALSE
  answer <- NULL
  # A limit that passes inside of reticulate is an error that it drops; options(error) hears of it.
  kept <- options(error = as.call(list(function() {
    reached <<- grepl(time_limit(), geterrmessage(), fixed = TRUE)
  })))
  on.exit({
    options(kept)
    if (is.null(answer)) suspendInterrupts(job$cancel())
  })
  while (is.null(answer)) {
    # Ctrl-C waits until R is back: a jump out of reticulate would leave Python without its lock.
    answer <- tryCatch(suspendInterrupts(job$wait(0.2)), error = function(e) {
      if (is_interrupt(conditionMessage(e))) interrupt()
      if (grepl(time_limit(), conditionMessage(e), fixed = TRUE)) stop(time_limit(), call. = FALSE)
      stop_softclust("border", "the call to Python failed: ", conditionMessage(e))
    })
    if (reached && is.null(answer)) stop(time_limit(), call. = FALSE)
    if (is.null(answer)) Sys.sleep(0.001)
  }
  answer
}

time_limit <- function() gettext("reached elapsed time limit", domain = "R")

# Ctrl-C while Python was at work ends the R call as Ctrl-C in R does. The handler of signals of
# reticulate has words of its own for it.
is_interrupt <- function(message) grepl("KeyboardInterrupt|\\(Unknown exception occurred\\)", message)

interrupt <- function() {
  signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
  invokeRestart("abort")
}

draw_seed <- function(seed = NULL) {
  if (is.null(seed)) return(as.double(sample.int(.Machine$integer.max, 1L)))
  if (!is.numeric(seed) || length(seed) != 1L || is.na(seed) || seed < 0 || seed != trunc(seed) ||
      seed > 2^53) {
    stop_softclust("ValueError", "`seed` must be a whole number >= 0, or NULL to draw one")
  }
  as.double(seed)
}

new_result <- function(fields, class, seed = NULL) {
  if (!is.null(seed)) fields$seed <- seed
  verbs <- fields$verbs
  fields[c("verbs", "drew")] <- NULL
  fields$versions <- python_versions()
  structure(fields, class = c(class, "sc_result"), verbs = verbs)
}

# The one check of the dots that a method ignores, and of what `given` beside them means in R.
no_dots <- function(..., but = NULL) {
  unknown <- setdiff(...names(), but)
  if (!...length() || (length(...names()) && !length(unknown))) return(invisible())
  called <- deparse(sys.call(-1L)[[1L]])
  stop_softclust("TypeError", sub("[.](summary[.])?sc_.*", "", called), "() of this object has no argument ",
                 if (any(nzchar(unknown))) paste0("`", unknown[nzchar(unknown)][1L], "`") else "more")
}

dots <- function(...) {
  options <- list(...)
  if (length(options) && (is.null(names(options)) || !all(nzchar(names(options))))) {
    stop_softclust("TypeError", "options in `...` must have names, as in alpha = 0.5")
  }
  if (anyDuplicated(names(options))) {
    stop_softclust("TypeError", "option `", names(options)[anyDuplicated(names(options))],
                   "` is given twice")
  }
  # A list without entries would reach Python as a list; "m" makes it a dict.
  structure(list(.t = "m", k = as.list(names(options)),
                 v = unname(Map(encode, options, paste0("`", names(options), "`", recycle0 = TRUE)))),
            class = "sc_encoded")
}

# -- R to Python --------------------------------------------------------------------------------
encode <- function(x, name = "an argument") {
  if (is.null(x)) return(NULL)
  if (inherits(x, "sc_encoded")) return(unclass(x))
  if (inherits(x, "sc_clustering")) return(encode_clustering(x))
  if (inherits(x, "sc_ensemble")) return(encode_ensemble(x))
  if (inherits(x, "sc_partial_ensemble")) return(encode_partial(x))
  if (inherits(x, "sc_contingency_table")) return(encode_table(x))
  if (inherits(x, "sc_pair_counts")) {
    parts <- unclass(x)[c("n11", "n10", "n01", "n00", "self_pairs")]
    return(unclass(call_with(made, c("PairCounts", parts))))
  }
  if (inherits(x, "sc_membership_sums")) return(unclass(made("MembershipSums.from_json", text = one_text(x$exact, "exact"))))
  if (is.factor(x)) x <- as.character(x)
  if (is.list(x)) return(encode_list(x))
  known <- (is.character(x) || is.logical(x) || is.numeric(x)) && !inherits(x, c("difftime", "Date", "POSIXt"))
  if (!known) stop_softclust("TypeError", name, " is of class ", class(x)[1L], ", which is not taken here")
  if (!is.double(x) && anyNA(x)) stop_softclust("ValueError", name, " contains NA")
  scalar <- length(x) == 1L && is.null(dim(x))
  if (is.character(x)) encode_strings(x, scalar) else if (scalar) as.vector(x) else encode_numbers(x)
}

# What a result keeps as text; anything else was put there by somebody.
one_text <- function(text, name) {
  if (is.character(text) && !is.object(text) && length(text) == 1L) return(text)
  stop_softclust("TypeError", "`", name, "` of the result is not text; compute the result again")
}

# What the function of softclust of this name makes of the arguments, which is made in Python.
made <- function(.name, ...) {
  structure(c(list(.t = "of", name = .name), lapply(list(...), encode)), class = "sc_encoded")
}

as_vector <- function(x, name = deparse(substitute(x))) {
  if (is.null(x)) return(NULL)
  if (is.factor(x)) x <- as.character(x)
  if (!is.atomic(x)) {
    stop_softclust("TypeError", "`", name, "` is of class ", class(x)[1L], "; a vector is needed")
  }
  encoded <- if (is.character(x)) encode_strings(x, FALSE) else encode_numbers(x)
  structure(encoded, class = "sc_encoded")
}

encode_numbers <- function(x) {
  type <- switch(typeof(x), double = "d", integer = "i", logical = "l",
                 stop_softclust("TypeError", "an argument is of class ", class(x)[1L], "; a vector is needed"))
  flat <- as.vector(unclass(x))
  if (type != "d" && anyNA(flat)) stop_softclust("ValueError", "an argument contains NA")
  bytes <- if (type == "l") as.raw(flat) else writeBin(flat, raw(), endian = "little")
  list(.t = "n", b = bytes, type = type, dim = if (!is.null(dim(x))) as.list(dim(x)))
}

encode_strings <- function(x, scalar = FALSE) {
  if (anyNA(x)) stop_softclust("ValueError", "an argument contains NA")
  x <- enc2utf8(as.vector(x))
  if (scalar) return(x)
  list(.t = "s", v = as.list(x))
}

encode_list <- function(x) {
  if (!is.null(names(x))) return(unclass(call_with(dots, as.list(x))))
  list(.t = "a", v = unname(lapply(as.list(x), encode)))
}

# Names of objects or clusters; NULL stays NULL.
encode_names <- function(x) if (!is.null(x)) as.list(enc2utf8(x))

encode_clustering <- function(x) {
  parts <- list(.t = "c", kind = kind_of(x), objects = encode_names(x$object_names),
                clusters = encode_names(x$cluster_names))
  c(parts, switch(parts$kind,
    hard = list(labels = encode_numbers(x$labels), n_clusters = x$n_clusters),
    cover = list(first = encode_numbers(as.integer(unlist(x$members))),
                 second = encode_numbers(rep(seq_along(x$members), lengths(x$members))),
                 n_objects = x$n_objects, n_clusters = length(x$members)),
    stats::setNames(lapply(attr(x, "parts")[matrices_of[[parts$kind]]], encode_numbers),
                    c("first", "second")[seq_along(matrices_of[[parts$kind]])])))
}

# Kinds that are one matrix or two, which cross as `first` and `second`.
matrices_of <- list(fuzzy = "membership", possibilistic = "typicality",
                    rough = c("lower", "upper"), evidential = c("mass", "focal_sets"))

encode_ensemble <- function(x) {
  list(.t = "e", v = unname(lapply(unclass(x), encode_clustering)), k = encode_names(names(x)))
}

# -- Python to R --------------------------------------------------------------------------------
decode <- function(x) {
  if (!is.list(x) || is.null(x$.t)) return(x)
  switch(x$.t,
    n = decode_numbers(x),
    s = decode_strings(x),
    a = lapply(unname(as.list(x$v)), decode),
    m = decode_map(x),
    f = decode_frame(x),
    c = decode_clustering(x),
    e = decode_ensemble(x))
}

decode_numbers <- function(x) {
  values <- switch(x$type, l = as.logical(x$b),
                   i = readBin(x$b, "integer", n = length(x$b) / 4, size = 4L, endian = "little"),
                   d = readBin(x$b, "double", n = length(x$b) / 8, size = 8L, endian = "little"))
  if (!is.null(x$dim)) dim(values) <- as.integer(unlist(x$dim))
  if (!is.null(x$names)) names(values) <- as.character(x$names)
  values
}

decode_strings <- function(x) {
  if (is.null(x)) return(NULL)
  values <- as.character(x$v)
  if (!is.null(x$na)) values[as.integer(x$na)] <- NA_character_
  values
}

decode_map <- function(x) {
  values <- lapply(unname(as.list(x$v)), decode)
  names(values) <- as.character(x$k)
  values
}

decode_frame <- function(x) {
  columns <- decode_map(x)
  rows <- as.integer(x$n)
  structure(columns, class = "data.frame",
            row.names = if (is.null(x$row_names)) .set_row_names(rows)
                        else make.unique(as.character(x$row_names)))
}

decode_clustering <- function(x) {
  objects <- decode_strings(x$objects)
  clusters <- decode_strings(x$clusters)
  switch(x$kind,
    hard = new_hard(as.integer(decode_numbers(x$labels)), as.integer(x$n_clusters), objects,
                    clusters),
    cover = new_cover(unname(split(decode_numbers(x$first),
                                   factor(decode_numbers(x$second), seq_len(x$n_clusters)))),
                      x$n_objects, objects, clusters),
    new_matrix_clustering(x$kind, stats::setNames(
      lapply(given(x[["first"]], x[["second"]]), decode_numbers), matrices_of[[x$kind]]),
      objects, clusters))
}

decode_ensemble <- function(x) {
  new_ensemble(lapply(unname(as.list(x$v)), decode_clustering), as.character(x$k))
}
