"""The registry of measures, read by `compare()`, the tables, R and the tests.

A measure is a formula on a named statistic, and one public function under ``@measure(...)``: the
decorator records it and returns it untouched. Nothing else is needed: `softclust.<name>`,
`compare()`, limits, `chance()`, the tables and the tests find it here.
"""

from __future__ import annotations

import copyreg
import difflib
import functools
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .. import extensions
from .._checks import check_choice, shown
from .joint import as_source, plain_labels
from .limit_rules import NOT_SIMULATED
from .record import (
    ALL_KINDS,
    KINDS,
    OF_CLASSES,
    PROPERTIES,
    SENSES,
    Answer,
    Bounds,
    Claim,
    Measure,
    MeasureWord,
    RCall,
    Shares,
    Word,
    ends,
)
from .statistic import Source, Statistic

if TYPE_CHECKING:
    import pandas as pd

    from .._types import ClusteringLike, SourceLike

__all__ = ["ALL_KINDS", "KINDS", "OF_CLASSES", "PROPERTIES", "SENSES", "Answer", "Bounds", "Claim",
           "Measure", "MeasureWord", "RCall", "Shares", "Word", "answering", "cited", "ends",
           "get_measure", "in_reading_order", "list_measures", "list_words", "measure",
           "measure_of", "places_of", "registry", "value_of"]

F = TypeVar("F", bound=Callable[..., Any])

_REGISTRY: dict[str, Measure] = {}
#: keywords for data (labels and what belongs to them), which are not options of measures
OF_OBJECTS = ("strata", "pairs")
#: rooms whose modules are families of measures
ROOMS = ("tables", "soft_pairs", "memberships", "covers")
#: what people ask for that is no measure of two clusterings here, by plain spelling
_RATERS = """for raters, coders or annotators whose codes have one meaning take kappa of \
statsmodels.stats.inter_rater or alpha of the package krippendorff; adjusted_rand_index, \
matched_kappa_index and omega_index (several codes per object) leave the names of codes aside: see \
the guide, Coders and raters"""
_ENTROPY = """1 - fuzziness(x, method="partition_entropy") is the relative entropy of memberships \
(entropy R2 divides by the entropy of their means instead)"""
_ELSEWHERE = {**dict.fromkeys(("kappa", "krippendorff", "fleiss", "rater", "coder", "annotator"),
                              _RATERS),
              **dict.fromkeys(("relativeentropy", "entropyr2", "entropyrsquared"), _ENTROPY)}
_ENDINGS = ("index", "distance", "dissimilarity", "score", "interval")


def measure(statistic: type[Statistic] | None = None, formula: Callable[..., Any] | None = None, *,
            driver: Callable[..., Any] | None = None, properties: Sequence[str | Claim] = (),
            r: str | Sequence[str | RCall] = (), shares: Shares | Sequence[Shares] = (),
            no_limits: str = "", **fields: Any) -> Callable[[F], F]:
    """Register the decorated function as a measure and return it untouched.

    The other `fields` are those of `Measure`; ``sense``, ``kinds``, ``bounds``, ``cost`` and
    ``source`` are needed. A property is a name or a `Claim`; `r` is one R call or several, a text
    for those under the default options.
    """
    if driver is not None:
        if statistic is not None or formula is not None or fields.get("shown") is None:
            raise TypeError("a driver has no statistic and no formula, and `shown` makes a number "
                            "of its result")
        from .joint import Pair
        statistic, formula = Pair, driver
    calls = tuple(RCall(each) if isinstance(each, str) else each
                  for each in ([r] if isinstance(r, str) else r))

    def register(function: F) -> F:
        name = function.__name__
        family = function.__module__.removesuffix(".measures").rpartition(".")[2]
        if name in _REGISTRY:
            raise ValueError(f"measure {name!r} is registered twice")
        parameters = tuple(inspect.signature(function).parameters.values())
        positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
        if positional not in (["x"], ["x", "y"]):
            raise TypeError(f"measure {name!r} must take (x) or (x, y), then keyword options")
        arity = len(positional)
        options = tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)
        if OF_OBJECTS[0] in options:
            options = tuple(o for o in options if o not in OF_OBJECTS)
        # A partial formula has options bound already.
        bound = formula.keywords if isinstance(formula, functools.partial) else {}
        of_formula = () if formula is None else tuple(
            p.name for p in inspect.signature(formula).parameters.values()
            if p.kind is p.KEYWORD_ONLY and p.name not in bound)
        if unknown := set(of_formula) - set(options):
            raise TypeError(f"the formula of {name!r} has options {sorted(unknown)} that the "
                            "measure lacks")
        if arity == 2 and (statistic is None or formula is None):
            raise TypeError(f"measure {name!r} of two clusterings needs a statistic and a formula")
        limits, chance = fields.get("limits"), fields.get("chance")
        of_chance = () if chance is None else tuple(inspect.signature(chance).parameters)[1:]
        _REGISTRY[name] = Measure(**{
            **fields, "in_compare": fields.get("in_compare", True) if arity == 2 else False},
            name=name, function=function, statistic=statistic, formula=formula,
            statistic_options=tuple(o for o in options if o not in of_formula),
            formula_options=of_formula, driver=driver is not None,
            chance_options=of_chance,
            no_limits=no_limits or (NOT_SIMULATED if limits is None else ""), family=family,
            arity=arity, properties=tuple(Claim(name=p) if isinstance(p, str) else p
                                          for p in properties),
            r=next((call.code for call in calls if not call.options), None), r_calls=calls,
            options=options, defaults=MappingProxyType({p.name: p.default for p in parameters
                                                        if p.name in options}),
            shares=(shares,) if isinstance(shares, Shares) else tuple(shares),
            meaning=(inspect.getdoc(function) or "").split("\n", 1)[0].rstrip("."),
        )
        function.__doc__ = _with_shared_parts(function, fields["kinds"])
        return function

    return register


def _with_shared_parts(function: Callable[..., Any], kinds: Sequence[str]) -> str:
    """The docstring with what most measures say alike, where it lacks this.

    That is the entry of x and y (a docstring may add to it under "x, y" without a type), the
    error for other kinds and objects, and the warning where the returned value may be nan.
    """
    doc, parameters = inspect.getdoc(function) or "", inspect.signature(function).parameters
    if "y" in parameters and not re.search(r"\n\nParameters\n-+\nx(, y)? :", doc):
        *others, last = [kind for kind in kinds if kind != "cover"]
        of_kinds = f"{', '.join(others).capitalize()} or {last}" if others else last.capitalize()
        if len(kinds) == 1:
            of_kinds = f"Two {last}"
        covers = " or covers" if "cover" in kinds else ""
        more = re.search(r"\nx, y\n((    .*\n)+)", doc)
        doc = doc.replace(more[0], "\n", 1) if more else doc
        text = (f"{of_kinds} clusterings{covers} of the same n >= 2 objects; or a `Joint` as x and "
                f"no y. {more[1] if more else ''}")
        doc = _with_entry(doc, "Parameters", "x, y : clustering-like", text)
    if "y" in parameters and not re.search(r"\n\nRaises\n-+\nClusteringError", doc):
        wrong = "not hard" if list(kinds) == ["hard"] else "of another kind"
        text = (f"If a side is {wrong}, the objects differ, or `weights` are not as described."
                if "weights" in parameters else f"If a side is {wrong}, or the objects differ.")
        doc = _with_entry(doc, "Raises", "ClusteringError", text)
    returned = doc.partition("\n\nReturns\n")[2].partition("\n\n")[0]
    if re.search(r"\bnan\b", returned) and "UndefinedMeasureWarning" not in doc:
        doc = _with_entry(doc, "Warns", "UndefinedMeasureWarning",
                          "If the value is undefined: nan.")
    return doc


def _with_entry(doc: str, section: str, name: str, text: str) -> str:
    """The docstring with an entry at the top of a section, which is made where it is missing."""
    lines = textwrap.fill(" ".join(text.split()), 96, initial_indent="    ",
                          subsequent_indent="    ")
    heading = f"\n\n{section}\n{'-' * len(section)}"
    if heading in doc:
        return doc.replace(heading, f"{heading}\n{name}\n{lines}", 1)
    order = ("Parameters", "Returns", "Raises", "Warns", "See Also", "Notes", "References",
             "Examples")
    later = "|".join(order[order.index(section) + 1:])
    return re.sub(rf"(?=\n\n({later})\n-)", lambda _: f"{heading}\n{name}\n{lines}", doc, count=1)


def value_of(function: Callable[..., Any], x: SourceLike, y: ClusteringLike | None = None,
             **options: Any) -> Any:
    """Compute a measure of two clusterings: first its statistic, then its formula.

    Arrays of plain labels are counted without making clusterings of them first. A statistic in
    place of x and y is taken as it is: pair counts of given pairs, or published ones.
    """
    m = _REGISTRY[function.__name__]
    assert m.statistic is not None
    assert m.formula is not None
    if isinstance(x, Statistic) and not isinstance(x, Source):
        if y is not None:
            raise TypeError(f"x is {type(x).__name__} of both clusterings already; leave out y")
        if not isinstance(x, m.statistic):
            raise TypeError(f"{m.name} needs {m.statistic.__name__}, and x is {type(x).__name__}; "
                            "give both clusterings")
        return m.formula(x, **m.options_of("formula", options))
    if (m.statistic.of_labels is not None and (labels := plain_labels(x, y)) is not None
            and all(options.get(o) is m.defaults[o] for o in m.statistic_options)):
        statistic = m.statistic.of_labels(*labels)
        if statistic is not None:
            return m.formula(statistic, **m.options_of("formula", options))
    return m.evaluate(as_source(x, y), options)


def registry() -> Mapping[str, Measure]:
    """All measures by name, ordered by family (alphabetically), then as defined."""
    _import_families()
    return MappingProxyType(_REGISTRY)


def in_reading_order() -> list[Measure]:
    """All measures in the order of lists: the adjusted Rand index and its family first."""
    first = ("pair_counting", "information")
    return sorted(registry().values(), key=lambda m: (
        m.name != "adjusted_rand_index",
        first.index(m.family) if m.family in first else len(first)))


def function_of(name: str) -> Callable[..., Any] | None:
    """The function of the measure with this name, or None.

    All families are imported.
    """
    record = registry().get(name)
    return None if record is None else record.function


def answering(question: str, *kinds: str) -> Measure:
    """The measure recommended first for a question of the guide, for two sides of these kinds."""
    ranked = [(answer.rank, m.name) for m in registry().values() if m.arity == 2
             and set(kinds) <= set(m.kinds) and (answer := m.answer(question)) is not None]
    return registry()[min(ranked)[1]]


@functools.cache
def _import_families() -> None:
    """Import every family: modules of the rooms whose names do not begin with "_"."""
    house = (__package__ or "").rpartition(".")[0]
    for room in ROOMS:
        package = importlib.import_module(f"{house}.{room}")
        for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)
                             if not m.ispkg):
            if not module.startswith("_"):
                importlib.import_module(f"{house}.{room}.{module}")
    for module in extensions.modules("MEASURES"):
        importlib.import_module(module)
    # A module may have been imported before its turn.
    ordered = sorted(_REGISTRY.items(), key=lambda item: item[1].family)
    _REGISTRY.clear()
    _REGISTRY.update(ordered)


def _registered(name: str, module: str) -> Measure:
    """The measure of a pickle; the module that registers it is imported."""
    importlib.import_module(module)
    return registry()[name]


# By name: a process that reads it has the functions of its own.
copyreg.pickle(Measure, lambda m: (_registered, (m.name, m.function.__module__)))


def get_measure(name: str | Callable[..., Any]) -> Measure:
    """The registered measure called `name`.

    Parameters
    ----------
    name : str or function
        Name, abbreviation (``"ARI"``), name in R's clue (``"cRand"``), or the function itself, such
        as ``softclust.rand_index``.

    Returns
    -------
    Measure
        Its record; ``.function`` is the function itself.

    Raises
    ------
    ValueError
        If no measure or several measures have this name (the message lists similar ones), or if the
        function is not a measure.
    TypeError
        If it is neither a name nor a function.

    See Also
    --------
    list_measures, compare

    Examples
    --------
    >>> import softclust
    >>> softclust.get_measure("rand_index").sense
    'agreement'
    >>> softclust.get_measure("ARI").name
    'adjusted_rand_index'
    """
    _import_families()
    if callable(name):
        called = getattr(name, "__name__", type(name).__name__)
        if called in _REGISTRY and _REGISTRY[called].function is name:
            return _REGISTRY[called]
        raise ValueError(f"the function {called} is not a measure of softclust, which knows its "
                         "range, sense and kinds; give softclust's own function or a name, or "
                         "register yours with @softclust.measures.measure (the guide: Add a "
                         "measure)")
    if not isinstance(name, str):
        raise TypeError(f"{name!r} is of type {type(name).__name__}; the name of one measure is "
                        "needed; softclust.list_measures() lists them")
    if name in _REGISTRY:
        return _REGISTRY[name]

    plain, spelled = _plain(name), _spellings(tuple(_REGISTRY))
    meant = sorted(spelled.names.get(plain, ()))
    if len(meant) == 1:
        return _REGISTRY[meant[0]]
    called_so = spelled.words.get(plain, [])
    if len(called_so) == 1:
        raise ValueError(f"{shown(name)} is {called_so[0].call}: give the measure and its options "
                         "(compare, chance and softclust.measures.measure_of take the word)")
    if (advice := _elsewhere(plain)) and not meant:
        raise ValueError(f"there is no measure {shown(name)}: {advice}")
    # Up to three measures with a similar name.
    close = difflib.get_close_matches(plain, list(spelled.names), n=6, cutoff=0.5)
    similar = dict.fromkeys(full for short in close for full in sorted(spelled.names[short]))
    near = meant or list(similar)[:3]
    hint = f"; similar: {', '.join(near)}" if near else ""
    raise ValueError(f"there is no measure {shown(name)}{hint} "
                     "(softclust.list_measures() lists all)")


def measure_of(word: str | Callable[..., Any]) -> MeasureWord:
    """Look up a measure and its options by the name that a field uses.

    Parameters
    ----------
    word : str or function
        A word of a field (``"pairwise precision"``, ``"MUC"``, ``"PQ"``), or anything that
        `get_measure` takes. Case, "_", "-" and spaces do not matter.

    Returns
    -------
    MeasureWord
        ``.name`` and ``.options`` of the measure, ``.swap`` where the sides are exchanged,
        ``.complement`` where it is 1 - value, ``.field``, ``.note``, ``.call``.

    Raises
    ------
    ValueError
        If the word is unknown or ambiguous; the message lists similar ones.

    See Also
    --------
    get_measure, list_measures, compare

    Examples
    --------
    >>> from softclust.measures import measure_of
    >>> measure_of("adapted Rand error").call
    '1 - pair_f_index(x, y)'
    >>> measure_of("homogeneity_score").swap
    True
    """
    _import_families()
    if isinstance(word, str) and word not in _REGISTRY:
        plain, spelled = _plain(word), _spellings(tuple(_REGISTRY))
        meanings = spelled.words.get(plain, [])
        if len(meanings) == 1:
            return meanings[0]
        if meanings:
            raise ValueError(f"{shown(word)} means different measures in different texts: "
                             + " or ".join(each.call for each in meanings))
        if plain not in spelled.names and not _elsewhere(plain) and (
                close := difflib.get_close_matches(plain, list(spelled.words), n=3, cutoff=0.8)):
            near = ", ".join(spelled.words[each][0].word for each in close)
            raise ValueError(f"there is no measure or word {shown(word)}; similar: {near} "
                             "(softclust.measures.list_words() lists the words)")
    return MeasureWord(word=str(getattr(word, "__name__", word)), name=get_measure(word).name)


class Spellings(NamedTuple):
    """Meanings of names, by their plain spelling.

    `words` has the meanings of the words of fields, `names` the measures by abbreviation, clue's
    method and shortened name.
    """

    words: dict[str, list[MeasureWord]]
    names: dict[str, set[str]]


@functools.lru_cache(maxsize=1)
def _spellings(registered: tuple[str, ...]) -> Spellings:
    """The spellings of all measures that are registered, made once."""
    words: dict[str, list[MeasureWord]] = {}
    meanings: dict[str, set[str]] = {}
    for record in _REGISTRY.values():
        for word in record.words:
            words.setdefault(_plain(word.word), []).append(_meaning(word, record.name))
        plain = [word.word for word in record.words if word.plain]
        for short in (*record.abbreviations, *plain):
            meanings.setdefault(_plain(short), set()).add(record.name)
    settled = set(meanings)
    for record in _REGISTRY.values():
        for each in record.r_calls:
            method = re.fullmatch(r"clue::cl_\w+\(x, y, method = '([\w/]+)'\)", each.code)
            short = _plain(method[1]) if method else ""
            if method and not each.options and short not in settled:
                meanings.setdefault(short, set()).add(record.name)
    for name in registered:
        stem, _, ending = name.rpartition("_")
        meanings.setdefault(_plain(name), set()).add(name)
        if ending in _ENDINGS and _plain(stem) not in settled:
            meanings.setdefault(_plain(stem), set()).add(name)
    return Spellings(words, meanings)


def _plain(name: str) -> str:
    return re.sub(r"[\s_.-]", "", name).casefold()


def _elsewhere(plain: str) -> str:
    """Where to find what a plain spelling asks for, in words; "" if that is not known."""
    return next((advice for part, advice in _ELSEWHERE.items() if part in plain), "")


def _meaning(word: Word, name: str) -> MeasureWord:
    """A word with the measure that declares it."""
    return MeasureWord(word.word, word.field, word.options, word.swap, word.complement,
                       word.note, name)


def places_of(word: str | Callable[..., Any], names: Sequence[str],
              options: Sequence[Mapping[str, Any]] = ()) -> list[int]:
    """Places of a measure among the `names` of rows, by any of its names.

    `word` is anything that `measure_of` takes, and so are the names. A word with options, such as
    "pairwise precision", means rows with these options, others mean rows with any. A word that no
    measure has is nowhere.
    """
    if word in names:
        return [k for k, name in enumerate(names) if name == word]

    def meant(name: str | Callable[..., Any]) -> MeasureWord | None:
        try:
            return measure_of(name)
        except (ValueError, TypeError):
            return None

    asked, places = meant(word), []
    for k, name in enumerate(names if asked is not None else ()):
        row = meant(name)
        if row is None or asked is None or (row.name, row.swap, row.complement) != (
                asked.name, asked.swap, asked.complement):
            continue
        defaults = _REGISTRY[row.name].defaults
        settings = {**defaults, **row.options, **(options[k] if options else {})}
        if settings == {**defaults, **asked.options} or not (asked.options or row.options):
            places.append(k)
    return places


def list_words(field: str | None = None) -> pd.DataFrame:
    """List the words of several fields and the measures they stand for.

    Parameters
    ----------
    field : str, optional
        "learning", "linkage", "coreference", "segmentation", "diarization" or "networks"; also
        the headings of the guide, such as "record linkage".

    Returns
    -------
    pandas.DataFrame
        Indexed by word: field, name, call, note.

    Raises
    ------
    ValueError
        If there is no such field.

    See Also
    --------
    list_measures

    Examples
    --------
    >>> from softclust.measures import list_words
    >>> list_words("diarization").loc["DER", "call"]
    'diarization_error_rate(x, y)'
    """
    import pandas as pd
    all_words = [(w, m.name) for m in registry().values() for w in m.words]
    if field is not None:
        fields = list(dict.fromkeys(w.field for w, _ in all_words))
        parts = str(field).lower().replace("_", " ").split()
        field = next((part for part in parts if part in fields), field)
        check_choice("field", field, fields)
    rows = [{"word": w.word, "field": w.field, "name": name,
             "call": _meaning(w, name).call, "note": w.note}
            for w, name in all_words if field in (None, w.field)]
    return pd.DataFrame(rows).set_index("word").sort_values("field", kind="stable")


def list_measures(name: str | None = None) -> pd.DataFrame:
    """Table of all registered measures, or of those that match a name.

    Parameters
    ----------
    name : str, optional
        A name, part of a name, or an abbreviation; all measures by default.

    Returns
    -------
    pandas.DataFrame
        Indexed by name: family, sense, kinds, low, high (None: unbounded, "n, c": depends on the
        clusterings), properties, options, abbreviations, cost, source, r, meaning. Its printed
        lines fit the screen.

    Raises
    ------
    ValueError
        If nothing matches `name`; the message lists similar measures.

    See Also
    --------
    get_measure, compare

    Examples
    --------
    >>> import softclust
    >>> softclust.list_measures().loc["rand_index", "sense"]
    'agreement'
    >>> softclust.list_measures("information").index.tolist()[:2]
    ['mutual_information', 'normalized_mutual_information']
    """
    from ..results.listing import MeasureTable

    def row(m: Measure) -> dict[str, Any]:
        low, high = ("n, c", "n, c") if callable(m.bounds) else m.bounds
        return {
            "name": m.name, "family": m.family, "sense": m.sense, "kinds": ", ".join(m.kinds),
            "low": low, "high": high, "properties": "; ".join(map(str, m.properties)),
            "options": ", ".join(m.options), "abbreviations": ", ".join(m.abbreviations),
            "cost": m.cost, "source": m.source, "r": m.r, "meaning": m.meaning,
        }

    chosen = in_reading_order()
    if name is not None:
        asked = str(name).lower()
        called = [m for m in chosen if asked in map(str.lower, m.abbreviations)]
        inside = [m for m in chosen if asked in m.name and m not in called]
        chosen = [*called, *inside] or [get_measure(name)]
    return MeasureTable([row(m) for m in chosen]).set_index("name")


def cited(names: Iterable[str], known: Mapping[str, Measure]) -> str:
    """Name measures in a sentence, with citation keys: "the Rand index [@rand1971]".

    A key is the first author and the year. Proper names, such as Rand, keep their capital letter.
    """
    texts = " ".join(f"{m.source} {m.meaning[1:]}" for m in known.values())
    proper = {word.lower(): word for word in re.findall(r"\b[A-Z][a-z]+", texts)}
    phrases = []
    for name in dict.fromkeys(names):
        words = [proper.get(word, word) for word in name.split("_")]
        papers = re.findall(r"(?:^|; *)(?:van |von |de )*([\w'-]+)[^;]*?\(?((?:18|19|20)\d\d)\b",
                            known[name].source)
        keys = "; ".join(f"@{re.sub('[^a-z]', '', author.lower())}{year}"
                         for author, year in papers)
        phrases.append(f"the {' '.join(words)}" + (f" [{keys}]" if keys else ""))
    return " and ".join(filter(None, (", ".join(phrases[:-1]), phrases[-1])))
