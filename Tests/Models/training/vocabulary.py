"""The words of the toy models, and the pieces that write them."""

DIGITS = {
    "zero": ["▁ze", "ro"],
    "one": ["▁o", "ne"],
    "two": ["▁t", "wo"],
    "three": ["▁th", "ree"],
    "four": ["▁f", "our"],
    "five": ["▁f", "ive"],
    "six": ["▁s", "ix"],
    "seven": ["▁se", "ven"],
    "eight": ["▁e", "ight"],
    "nine": ["▁ni", "ne"],
}
COMMANDS = {
    "start": ["▁st", "art"],
    "stop": ["▁st", "op"],
    "pause": ["▁pa", "use"],
    "save": ["▁sa", "ve"],
    "open": ["▁o", "pen"],
    "close": ["▁c", "lose"],
    "yes": ["▁ye", "s"],
    "no": ["▁no"],
    "next": ["▁ne", "xt"],
    "back": ["▁b", "ack"],
}
# What the transducer writes only when it is biased. Without a hotword it writes HOTWORD_AS.
HOTWORD = "tomorrow"
HOTWORD_AS = "two"

WORDS = {**DIGITS, **COMMANDS}
PIECES = {**WORDS, HOTWORD: ["▁t", "omorrow"]}

TOKENS = sorted({piece for pieces in PIECES.values() for piece in pieces})
INDEX = {piece: index for index, piece in enumerate(TOKENS)}
BLANK = len(TOKENS)


def write_tokens(folder):
    """Writes tokens.txt: one piece and its index per line, the blank last."""
    lines = [f"{piece} {index}" for index, piece in enumerate(TOKENS + ["<blk>"])]
    (folder / "tokens.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_bpe_vocabulary(folder):
    """Writes bpe.vocab: what the engine needs to split hotwords into pieces. Longer pieces rank first."""
    ranked = sorted(TOKENS, key=lambda piece: (-len(piece), piece))
    lines = [f"{piece}\t{-rank}" for rank, piece in enumerate(ranked)]
    (folder / "bpe.vocab").write_text("\n".join(lines) + "\n", encoding="utf-8")


def words_of(tokens):
    """Joins pieces to words: a list of (word, index of its first piece, index after its last piece)."""
    words = []
    for index, token in enumerate(tokens):
        # The engine returns "▁" as a space.
        piece = token.replace(" ", "▁")
        if piece.startswith("▁") or not words:
            words.append([piece.lstrip("▁"), index, index + 1])
        else:
            words[-1][0] += piece
            words[-1][2] = index + 1
    return [tuple(word) for word in words]
