import { request } from "./api.js";

/**
 * Adds words that were corrected to a vocabulary: the one that is named, else that of the session, else the words for every
 * recording.
 *
 * @param recognized what the recognizer wrote instead, if that is known.
 */
export const addToVocabulary = ({ text, recognized, session, vocabulary }) =>
  request("api/vocabulary", { method: "POST", body: { text, recognized, session, vocabulary } });
