/**
 * Where the reader is, as the address's fragment says: `#/session/ID/ROW?mark=WORDS`. So a reload, a bookmark and the
 * browser's own back button lead to the same place.
 */
export function currentRoute() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [kind, session, row] = path.split("/");
  if (kind !== "session" || !session) return { session: null, row: null, mark: [] };
  const id = decoded(session);
  if (id === null) return { session: null, row: null, mark: [] };
  const mark = new URLSearchParams(query).get("mark");
  return {
    session: id,
    row: row !== undefined && /^\d+$/.test(row) ? Number(row) : null,
    mark: mark ? mark.split(" ") : [],
  };
}

/** A part of an address that somebody may have typed; null if it cannot be one. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The fragment of a place; without a row it is the beginning, or the end of what is being recorded. */
export function fragment(session, row = null, mark = []) {
  if (!session) return "#/";
  const words = mark.length > 0 ? `?${new URLSearchParams({ mark: mark.join(" ") })}` : "";
  return `#/session/${encodeURIComponent(session)}${row === null ? "" : `/${row}`}${words}`;
}

/** Keeps the place in the address, without a step in the browser's history. */
export function remember(session, row, mark) {
  const place = fragment(session, row, mark);
  if (location.hash !== place) history.replaceState(null, "", place);
}
