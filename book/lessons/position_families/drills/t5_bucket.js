// @ts-check
// T5's buckets by hand: exact for near keys, logarithmic further away, one for all the rest.

import { format } from "../../kit/figures/kit.js";
import { play } from "../../kit/drills/drill.js";
import { pick, whole } from "../../kit/drills/draw.js";
import { COUNTS, WHOLE } from "../../kit/drills/judge.js";

/** @typedef {{exact: number, near: number, doublings: number, far: number}} Problem */

const OCTAVES = 3; // the exact distances double three times up to the largest

/** The bucket of `doublings` doublings. @param {number} exact @param {number} doublings */
const logarithmic = (exact, doublings) => exact + Math.floor((exact * doublings) / OCTAVES);

export default play({
  name: "t5_bucket",
  title: "Buckets of T5's decoder",
  ...WHOLE,
  reader: COUNTS,
  draw: (random) => {
    const exact = pick(random, [4, 8, 16]);
    return {
      exact,
      near: whole(random, 1, exact - 1),
      doublings: whole(random, 1, 2),
      far: exact * 2 ** OCTAVES + whole(random, 1, 200),
    };
  },
  answer: ({ exact, near, doublings }) => [near, logarithmic(exact, doublings), 2 * exact - 1],
  mistakes: ({ exact, near, doublings, far }) => {
    const [middle, distance] = [logarithmic(exact, doublings), exact * 2 ** doublings];
    const last = 2 * exact - 1;
    return [
      {
        answer: [near, middle, 2 * exact],
        cause: `Buckets count from 0, so the last of ${2 * exact} has the number ${last}.`,
      },
      {
        answer: [near, middle + 1, last],
        cause: "You rounded up. Round down.",
      },
      {
        answer: [near, middle - exact, last],
        cause: `You counted only the wide buckets. The first ${exact} buckets belong to the near keys.`,
      },
      {
        answer: [
          near,
          exact + Math.floor(((distance - exact) * exact) / (exact * (2 ** OCTAVES - 1))),
          last,
        ],
        cause:
          "These buckets are equally wide. T5's grow: each doubling of the distance takes the same number of buckets.",
      },
      {
        answer: [near, distance, far],
        cause: "These are the distances. Only near keys have their own bucket.",
      },
      {
        answer: [near + 1, middle, last],
        cause:
          "Bucket 0 belongs to the token itself, so for near keys the bucket equals the distance.",
      },
    ];
  },
  show: ({ exact, near, doublings, far }) => {
    const [buckets, distance] = [2 * exact, exact * 2 ** doublings];
    const largest = exact * 2 ** OCTAVES;
    const share = format((exact * doublings) / OCTAVES);
    return {
      task: `A decoder has ${buckets} buckets and the largest distance ${largest}. Distances 0 to ${exact - 1} have a bucket each. From there to ${largest} the distance doubles ${OCTAVES} times, and the other ${exact} buckets are spread evenly over these doublings, rounded down. All larger distances are in the last bucket. In which bucket is each key?`,
      given: [],
      asked: {
        caption: "buckets",
        heads: ["bucket"],
        rows: [`${near} back`, `${distance} back`, `${far} back`],
      },
      way: [
        `${near} is less than ${exact}: bucket ${near}`,
        `From ${exact} to ${distance} the distance doubles ${doublings === 1 ? "once" : "twice"}: ${exact} · ${doublings}/${OCTAVES} = ${share}, rounded down, above ${exact}: bucket ${logarithmic(exact, doublings)}`,
        `${far} is more than ${largest}: the last bucket, ${buckets - 1}`,
      ],
      praise: "T5 distinguishes near keys exactly, distant keys only roughly.",
    };
  },
});
