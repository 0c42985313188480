/**
 * The open session and row, from the fragment of the address: `#/session/ID/ROW?mark=WORDS`. A reload, a bookmark and the
 * browser's back button therefore work.
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

/** Decodes a part of the address; null if its encoding is malformed. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The fragment for a session and a row. Without a row, a recording opens at its end and other sessions at the start. */
export function fragment(session, row = null, mark = []) {
  if (!session) return "#/";
  const words = mark.length > 0 ? `?${new URLSearchParams({ mark: mark.join(" ") })}` : "";
  return `#/session/${encodeURIComponent(session)}${row === null ? "" : `/${row}`}${words}`;
}

/** Writes the position to the address, without an entry in the browser's history. */
export function remember(session, row, mark) {
  const hash = fragment(session, row, mark);
  if (location.hash !== hash) history.replaceState(null, "", hash);
}
