// @ts-check
// What all races share: their settings and texts, and the recorded run of each guided race.

import races from "./race_lab.json" with { type: "json" };
import record from "./record.json" with { type: "json" };

export const TEXTS = races;
export const RECORDS = /** @type {Record<string, any>} */ (record);
