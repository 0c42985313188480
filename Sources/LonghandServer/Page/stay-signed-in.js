import { request } from "./api.js";

/**
 * Stores a key with which this browser is signed in again after the server was started again. No script can read it, and what is
 * signed with it is of use only until the server stops.
 */
export async function staySignedIn() {
  if (!window.crypto?.subtle) return;
  const { key } = await request("api/browser-key");
  if (!key) return;
  const bytes = Uint8Array.from(key.match(/../g), (digits) => parseInt(digits, 16));
  const imported = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const opening = indexedDB.open("longhand-sign-in", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  opening.onsuccess = () => {
    const writing = opening.result.transaction("keys", "readwrite");
    writing.objectStore("keys").put(imported, "key");
    writing.oncomplete = () => opening.result.close();
  };
}
