/** A request that the server refused; the message and the `code` are the server's. Beside them, `present` may have what there is now. */
export class RefusedError extends Error {
  constructor(message, status, present) {
    super(message);
    Object.assign(this, { status, present, code: present?.error?.code });
  }
}

/** The server did not answer: it is not running, or the network is down. */
export class UnreachableError extends Error {
  constructor() { super("The server cannot be reached. Check that 'longhand serve' is running."); }
}

/** What is done before the page is loaded again, to sign in. */
export const beforeSignIn = { act: async () => {} };

let preparing = null;

/** Several requests may be refused at once. */
async function signInAgain() {
  preparing ??= beforeSignIn.act().catch(() => {});
  await preparing;
  location.reload();
}

/**
 * Sends a request, with JSON or with a file, and returns the JSON of the response, or null if there is none. Paths are relative: only under the page's
 * own path does the browser send the cookie. If the server no longer accepts it, the page is loaded again, which shows the
 * sign-in page.
 */
export async function request(path, { method = "GET", body, signal } = {}) {
  const response = await fetch(path, {
    method,
    signal,
    headers: body === undefined || body instanceof Blob ? {} : { "Content-Type": "application/json" },
    body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
  }).catch((error) => { throw error instanceof TypeError ? new UnreachableError() : error; });
  if (response.status === 401) signInAgain();
  if (response.ok) return [202, 204].includes(response.status) ? null : whole(response, signal);
  const document = await response.json().catch(() => null);
  throw new RefusedError(document?.error?.message ?? `The server answered with status ${response.status}.`, response.status, document ?? {});
}

/**
 * Sends bytes and returns the server's document.
 * @param isSignedIn whether the page is loaded again, to sign in, if the server no longer accepts its cookie.
 */
export async function sendPart(path, part, { isSignedIn = true } = {}) {
  const response = await fetch(path, { method: "PUT", body: part, signal: isSignedIn ? undefined : AbortSignal.timeout(20_000) })
    .catch(() => { throw new UnreachableError(); });
  if (isSignedIn && response.status === 401) signInAgain();
  const document = await response.json().catch(() => { throw new UnreachableError(); });
  if (response.ok) return document;
  throw new RefusedError(document.error?.message ?? `Status ${response.status}`, response.status, document);
}

/** Reads a response. One that breaks off counts as unreachable, unless it was cancelled. */
async function whole(response, signal) {
  try {
    return await response.json();
  } catch (error) {
    throw signal?.aborted ? error : new UnreachableError();
  }
}

/** The path of a session, or of a part of it such as `segments`. */
export function sessionPath(id, part = "") {
  return `api/sessions/${encodeURIComponent(id)}${part ? `/${part}` : ""}`;
}
