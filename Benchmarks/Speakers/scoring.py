"""Scores of who speaks when: the diarization error rate, and the words with the right name."""
import bisect


def turns(path):
    """The turns of an RTTM: start, end, speaker, confidence (None where there is none)."""
    found = []
    for line in open(path, encoding="utf-8"):
        cells = line.split()
        if len(cells) >= 8 and cells[0] == "SPEAKER" and float(cells[4]) > 0:
            sure = cells[8] if len(cells) > 8 else "<NA>"
            start = float(cells[3])
            found.append((start, start + float(cells[4]), cells[7], None if sure == "<NA>" else float(sure)))
    return sorted(found)


def spoken(turns):
    """For each speaker, what they say, without overlap with themselves."""
    speakers = {}
    for start, end, who, *_ in sorted(turns):
        own = speakers.setdefault(who, [])
        if own and start <= own[-1][1]:
            own[-1][1] = max(own[-1][1], end)
        else:
            own.append([start, end])
    return speakers


def assignment(gain):
    """Rows to columns, one to one, so that the sum of the gains is the largest (the Hungarian method)."""
    n = max(len(gain), max((len(row) for row in gain), default=0))
    cost = [[-(gain[i][j] if i < len(gain) and j < len(gain[i]) else 0) for j in range(n)] for i in range(n)]
    u, v, match, way = [0.0] * (n + 1), [0.0] * (n + 1), [0] * (n + 1), [0] * (n + 1)
    for row in range(1, n + 1):
        match[0], column = row, 0
        least, used = [float("inf")] * (n + 1), [False] * (n + 1)
        while True:
            used[column], here, delta, after = True, match[column], float("inf"), 0
            for j in range(1, n + 1):
                if used[j]:
                    continue
                value = cost[here - 1][j - 1] - u[here] - v[j]
                if value < least[j]:
                    least[j], way[j] = value, column
                if least[j] < delta:
                    delta, after = least[j], j
            for j in range(n + 1):
                if used[j]:
                    u[match[j]] += delta
                    v[j] -= delta
                else:
                    least[j] -= delta
            column = after
            if not match[column]:
                break
        while column:
            match[column] = match[way[column]]
            column = way[column]
    return {match[j] - 1: j - 1 for j in range(1, n + 1)}


def pieces(reference, found, scored, collar):
    """Times between which nobody begins or ends: length, speakers of the reference, speakers found."""
    edges = {time for part in scored for time in part}
    events, boundaries = [], sorted({time for start, end, *_ in reference for time in (start, end)})
    for side, speakers in enumerate((spoken(reference), spoken(found))):
        for who, parts in speakers.items():
            for start, end in parts:
                edges |= {start, end}
                events += [(start, 1, side, who), (end, 0, side, who)]
    if collar:
        edges |= {time + shift for time in boundaries for shift in (-collar, collar)}
    edges, now, place, result = sorted(edges), (set(), set()), 0, []
    events.sort(key=lambda event: event[:2])
    for start, end in zip(edges, edges[1:]):
        while place < len(events) and events[place][0] <= start:
            _, begins, side, who = events[place]
            (now[side].add if begins else now[side].discard)(who)
            place += 1
        middle = (start + end) / 2
        near = bisect.bisect_left(boundaries, middle - collar)
        if collar and near < len(boundaries) and boundaries[near] <= middle + collar:
            continue
        if (now[0] or now[1]) and any(a <= middle <= b for a, b in scored):
            result.append((end - start, frozenset(now[0]), frozenset(now[1])))
    return result


def score(reference, found, scored, collar):
    """Seconds, and the speakers found by those of the reference."""
    parts = pieces(reference, found, scored, collar)
    rows = sorted({who for _, said, _ in parts for who in said})
    columns = sorted({who for _, _, heard in parts for who in heard})
    shared = {}
    for seconds, said, heard in parts:
        for a in said:
            for b in heard:
                shared[a, b] = shared.get((a, b), 0) + seconds
    gain = [[shared.get((a, b), 0) for b in columns] for a in rows]
    mapping = {rows[i]: columns[j] for i, j in assignment(gain).items()
               if i < len(rows) and j < len(columns) and gain[i][j] > 0}
    sums = dict.fromkeys(("speech", "missed", "false", "confused"), 0.0)
    for seconds, said, heard in parts:
        sums["speech"] += seconds * len(said)
        sums["missed"] += seconds * max(0, len(said) - len(heard))
        sums["false"] += seconds * max(0, len(heard) - len(said))
        sums["confused"] += seconds * (min(len(said), len(heard)) - sum(mapping.get(who) in heard for who in said))
    return sums, mapping


def changes(reference, words):
    """The least number of words to insert, delete and replace."""
    row = list(range(len(words) + 1))
    for i, one in enumerate(reference, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(words, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (one != other))
    return row[-1]


def word_errors(reference, found):
    """Changes with the best assignment of speakers (cpWER), from lists of words by speaker."""
    rows, columns = sorted(reference), sorted(found)
    size = max(len(rows), len(columns))
    costs = [[changes(reference[rows[i]] if i < len(rows) else [], found[columns[j]] if j < len(columns) else [])
              for j in range(size)] for i in range(size)]
    return sum(costs[i][j] for i, j in assignment([[-cost for cost in row] for row in costs]).items())
