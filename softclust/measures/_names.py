"""Names that people use for measures beside their own: abbreviations, clue's names, near misses."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .._checks import shown

if TYPE_CHECKING:
    from .record import Measure, MeasureWord, Word

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


def full_name(name: Any, known: Mapping[str, Measure]) -> str:
    """The name of the registered measure that `name` means.

    Parameters
    ----------
    name : str
        A name, an abbreviation (``"ARI"``), or the method of R's clue that gives the same number
        (``"cRand"``). Case, "_", "-" and spaces do not matter.
    known : mapping
        The registered measures by name.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If no measure or several measures have this name; the message lists the candidates.
    """
    meant: list[str] = []
    if isinstance(name, str):
        if name in known:
            return name
        meant = sorted(_spellings(known).names.get(_plain(name), ()))
        if len(meant) == 1:
            return meant[0]
        called = _spellings(known).words.get(_plain(name), [])
        if len(called) == 1:
            raise ValueError(f"{shown(name)} is {called[0].call}: give the measure and its options "
                             "(compare, chance and softclust.measures.measure_of take the word)")
    if (advice := _elsewhere(name)) and not meant:
        raise ValueError(f"there is no measure {shown(name)}: {advice}")
    near = meant or _near(str(name), known)
    hint = f"; similar: {', '.join(near)}" if near else ""
    raise ValueError(f"there is no measure {shown(name)}{hint} "
                     "(softclust.list_measures() lists all)")


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


def meaning(word: Word, name: str) -> MeasureWord:
    """A word with the measure that declares it."""
    from .record import MeasureWord
    return MeasureWord(word.word, word.field, word.options, word.swap, word.complement,
                       word.note, name)


def meant_word(word: Any, known: Mapping[str, Measure]) -> MeasureWord | None:
    """Meaning of `word` in a field; None if no field has that word.

    Raises
    ------
    ValueError
        If the word is ambiguous or unknown.
    """
    if not isinstance(word, str) or word in known:
        return None
    called = _spellings(known).words
    meanings = called.get(_plain(word), [])
    if len(meanings) == 1:
        return meanings[0]
    if meanings:
        raise ValueError(f"{shown(word)} means different measures in different texts: "
                         + " or ".join(each.call for each in meanings))
    if _plain(word) in _spellings(known).names or _elsewhere(word):
        return None
    close = difflib.get_close_matches(_plain(word), list(called), n=3, cutoff=0.8)
    if close:
        near = ", ".join(called[each][0].word for each in close)
        raise ValueError(f"there is no measure or word {shown(word)}; similar: {near} "
                         "(softclust.measures.list_words() lists the words)")
    return None


def _elsewhere(word: Any) -> str:
    """Where to find what `word` asks for, in words; "" if that is not known."""
    return next((advice for part, advice in _ELSEWHERE.items() if part in _plain(str(word))), "")


class Spellings(NamedTuple):
    """Meanings of names, by their plain spelling.

    `words` has the meanings of the words of fields, `names` the measures by abbreviation, clue's
    method and shortened name.
    """

    words: dict[str, list[MeasureWord]]
    names: dict[str, set[str]]


#: the spellings of all measures that are registered, made once
_SPELLINGS: dict[tuple[str, ...], Spellings] = {}


def _spellings(known: Mapping[str, Measure]) -> Spellings:
    registered = tuple(known)
    if registered in _SPELLINGS:
        return _SPELLINGS[registered]
    words: dict[str, list[MeasureWord]] = {}
    for record in known.values():
        for word in record.words:
            words.setdefault(_plain(word.word), []).append(meaning(word, record.name))
    meanings: dict[str, set[str]] = {}
    for record in known.values():
        plain = [word.word for word in record.words if word.plain]
        for short in (*record.abbreviations, *plain):
            meanings.setdefault(_plain(short), set()).add(record.name)
    settled = set(meanings)
    for record in known.values():
        for each in record.r_calls:
            method = re.fullmatch(r"clue::cl_\w+\(x, y, method = '([\w/]+)'\)", each.code)
            short = _plain(method[1]) if method else ""
            if method and not each.options and short not in settled:
                meanings.setdefault(short, set()).add(record.name)
    for name in known:
        stem, _, ending = name.rpartition("_")
        meanings.setdefault(_plain(name), set()).add(name)
        if ending in _ENDINGS and _plain(stem) not in settled:
            meanings.setdefault(_plain(stem), set()).add(name)
    _SPELLINGS.clear()
    _SPELLINGS[registered] = Spellings(words, meanings)
    return _SPELLINGS[registered]


def _plain(name: str) -> str:
    return re.sub(r"[\s_.-]", "", name).casefold()


def _near(name: str, known: Mapping[str, Measure]) -> list[str]:
    """Up to three measures with a similar name or synonym."""
    spelled: dict[str, set[str]] = {}
    for short, full in _spellings(known).names.items():
        spelled.setdefault(short, set()).update(full)
    close = difflib.get_close_matches(_plain(name), list(spelled), n=6, cutoff=0.5)
    names = dict.fromkeys(full for short in close for full in sorted(spelled[short]))
    return list(names)[:3]
