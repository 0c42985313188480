/** What the server refused, in its words. */
export class RefusedError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The server did not answer at all: it is away, or the way to it is. */
export class UnreachableError extends Error {
  constructor() { super("The server cannot be reached."); }
}

let askForToken = null;
let asking = null;

/** What is called when the server wants a token; it resolves when the server has one. */
export function whenTokenIsMissing(ask) {
  askForToken = ask;
}

/**
 * Asks the server; the answer's JSON, or null where there is none. A question that lacks a token is put again when
 * the reader has given it.
 */
export async function request(path, { method = "GET", body, signal } = {}) {
  for (;;) {
    const response = await fetch(path, {
      method,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch((error) => { throw error instanceof TypeError ? new UnreachableError() : error; });
    if (response.status === 401 && askForToken && path !== "/api/login") {
      asking ??= askForToken().finally(() => { asking = null; });
      await asking;
      continue;
    }
    if (response.ok) return response.status === 204 ? null : whole(response, signal);
    const answer = await response.json().catch(() => null);
    throw new RefusedError(answer?.error?.message ?? `The server answered ${response.status}.`, response.status);
  }
}

/** An answer that breaks off is one that has not come; one that is not wanted any more is neither. */
async function whole(response, signal) {
  try {
    return await response.json();
  } catch (error) {
    throw signal?.aborted ? error : new UnreachableError();
  }
}

/** The path of a session's part, such as `segments`. */
export function sessionPath(id, part = "") {
  return `/api/sessions/${encodeURIComponent(id)}${part ? `/${part}` : ""}`;
}
