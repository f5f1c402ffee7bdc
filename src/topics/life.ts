/**
 * The life of a topic, as data: what may happen to it in each state, and where
 * that leads.
 *
 * Pure. Where a topic stands and what it holds follows from the events alone.
 */
import { TOPIC_STATES, type TopicState } from "../model/topic.js";

export const TOPIC_HAPPENINGS = [
  "made",
  "filled",
  "scored",
  "woken",
  "slept",
  "archived",
  "divided",
  "merged",
] as const;
export type TopicHappening = (typeof TOPIC_HAPPENINGS)[number];

/** `none`: there is no such topic yet. */
export const TOPIC_PLACES = ["none", ...TOPIC_STATES] as const;
export type TopicPlace = "none" | TopicState;

/** What is not in the table cannot happen: such an event changes nothing. */
export const TOPIC_LIFE: Readonly<Record<TopicPlace, Partial<Record<TopicHappening, TopicState>>>> = {
  none: { made: "active" },
  active: {
    filled: "active",
    scored: "active",
    slept: "dormant",
    archived: "archived",
    divided: "divided",
    merged: "merged",
  },
  dormant: {
    filled: "active",
    scored: "dormant",
    woken: "active",
    archived: "archived",
    divided: "divided",
    merged: "merged",
  },
  archived: { woken: "active" },
  divided: {},
  merged: {},
};

/** What each means; printed into docs/TOPICS.md. */
export const TOPIC_HAPPENING_MEANINGS: Readonly<Record<TopicHappening, string>> = {
  made: "a split, or a division of its parent, found it",
  filled: "a split or a merge adds messages to it; one that sleeps wakes",
  scored: "how much it has to do with what is said now",
  woken: "by its scores or because somebody asked; from the archive only when asked for",
  slept: "its scores fell, or too many are active",
  archived: "slept for a week, was a one-off, or a person said so",
  divided: "it grew too large: its messages are in its sub-topics",
  merged: "it is about the same as another one, which has its messages now",
};

/** Where it stands afterwards; undefined where that cannot happen to it. */
export function placeAfter(place: TopicPlace, happening: TopicHappening): TopicState | undefined {
  return TOPIC_LIFE[place][happening];
}
