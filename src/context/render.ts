/**
 * The Teller's prompt: sections fitted into their budgets and put together.
 *
 * Pure. Every thing is rendered once. Titles, order and budgets: sections.ts;
 * how foreign text is kept apart from memd's own: quote.ts.
 */
import type { MessageId } from "../model/message.js";
import type { Hit } from "../model/passage.js";
import type { SectionName, Settings } from "../model/settings.js";
import { isoOf } from "../model/time.js";
import { estimateTokens } from "../text/tokens.js";
import { repeats, wholeIdsOf } from "./entries.js";
import { NOTHING, type Fitted } from "./fit.js";
import { fitConversation } from "./fit-conversation.js";
import type { FittedMessages } from "./fit-history.js";
import { fitInput } from "./fit-input.js";
import { fitMemory } from "./fit-memory.js";
import { dropParagraphs } from "./fit-pinned.js";
import { dropFirstLines, dropLastLines, keepWhole } from "./fit-text.js";
import { fitTopics } from "./fit-topics.js";
import { FRONT_LINE } from "./guide.js";
import type { ContextInputs, HitData, Prompt, SectionData, ShownBeside } from "./inputs.js";
import { inConversation } from "../model/access.js";
import { belowHeading, plain } from "./quote.js";
import {
  FIXED_SECTIONS,
  LIVE_SECTIONS,
  SECTION_TITLES,
  type FixedSection,
  type LiveName,
} from "./sections.js";

interface Rendered extends Fitted {
  name: SectionName;
  markdown: string;
  budgetTokens: number;
}

export function composePrompt(inputs: ContextInputs): Prompt {
  const { viewer, zone, now, settings } = inputs;
  const inbox = inputs.inbox.filter((filed) => inConversation(viewer, filed));
  const history = historyWithout(inputs, inbox);
  const room = (name: LiveName): number =>
    budgetOf(inputs, name) - estimateTokens(headingOf(LIVE_SECTIONS[name]));

  const shownInput = isOff(settings, "input") ? UNSHOWN : fitInput(inbox, zone, now, room("input"));
  const shownHistory = isOff(settings, "history")
    ? UNSHOWN
    : fitConversation(history, inputs, room("history"));
  const beside = new Set([...shownHistory.shown, ...shownInput.shown].flatMap(({ ids }) => ids));
  const shownTopics =
    isOff(settings, "topics") || inputs.topics === undefined
      ? { ...NOTHING, shown: [] }
      : fitTopics(inputs.topics.shown, zone, room("topics"), beside);
  const messages = [...shownTopics.shown, ...shownHistory.shown, ...shownInput.shown];
  const fixed = fixedSections(inputs, wholeIdsOf(messages));
  const shownMemory = fitMemory(inputs, room("memory"), {
    pinned: fixed.find((section) => section.name === "pinned")?.body ?? "",
    above: fixed.map((section) => section.body).join("\n"),
    topics: shownTopics.body,
    messages,
    privateIds: new Set(
      [...inputs.history, ...inputs.inbox].filter(isPrivate).map(({ message }) => message.id),
    ),
  });
  const live = { topics: shownTopics, memory: shownMemory, history: shownHistory, input: shownInput };
  const liveNames = Object.keys(LIVE_SECTIONS) as LiveName[];
  const rendered = [
    ...fixed,
    ...liveNames.map((name) =>
      render(name, LIVE_SECTIONS[name], budgetOf(inputs, name), isOff(settings, name) ? OFF : live[name]),
    ),
  ];

  return {
    markdown: `${[FRONT_LINE, ...rendered.map((section) => section.markdown).filter((text) => text !== "")].join("\n\n")}\n`,
    data: {
      version: 1,
      viewer,
      generatedAt: isoOf(now),
      inboxIds: [...new Set(inbox.map(({ message }) => message.id))],
      sections: rendered.map(sectionData).filter((section) => section.tokens > 0 || section.cuts.length > 0),
      questions: isOff(settings, "memory") ? [] : shownMemory.questions,
      hits: isOff(settings, "memory")
        ? []
        : shownMemory.hits.map(({ hit, question, tokens }) => ({
            ...hitData(hit, question),
            tokens: Math.ceil(tokens),
          })),
      leftOut: shownMemory.leftOut.map(({ hit, question, why }) => ({ ...hitData(hit, question), why })),
      warnings: rendered.flatMap((section) => section.warnings),
    },
  };
}

/** In order, each within its own budget and what the ones before it left of the common one. */
function fixedSections(inputs: ContextInputs, wholeIds: ShownBeside["wholeIds"]): Rendered[] {
  const { settings } = inputs;
  let left = settings.fixed_tokens;
  let above = "";
  return FIXED_SECTIONS.map((section) => {
    const budgetTokens = Math.max(0, Math.min(budgetOf(inputs, section.name), Math.floor(left)));
    if (isOff(settings, section.name)) return render(section.name, section.title, budgetTokens, OFF);
    const fitted = fitFixed(
      section,
      inputs,
      { above, wholeIds },
      budgetTokens - estimateTokens(headingOf(section.title)),
    );
    const rendered = render(section.name, section.title, budgetTokens, fitted);
    left -= estimateTokens(rendered.markdown);
    above += `${fitted.body}\n`;
    return rendered;
  });
}

function fitFixed(
  section: FixedSection,
  inputs: ContextInputs,
  shown: ShownBeside,
  budgetTokens: number,
): Fitted {
  const text = plain(section.source(inputs, shown) ?? "");
  if (text === "") return NOTHING;
  if (budgetTokens <= 0 && section.shrinks !== "never") {
    const warning = `No room is left for ${section.file}: the sections before it are over their budgets.`;
    return { ...NOTHING, cuts: ["all of it left out"], warnings: [warning] };
  }
  const below = (part: string): string => belowHeading(part, SECTION_TITLES);
  switch (section.shrinks) {
    case "never":
      return keepWhole(below(text), budgetTokens, section.file);
    case "last":
      return dropLastLines(below(text), budgetTokens, section.file);
    case "first":
      return dropFirstLines(text, budgetTokens, section.file);
    case "paragraphs":
      return dropParagraphs(text, budgetTokens, section.file, below);
    default:
      return section.shrinks satisfies never;
  }
}

const OFF: Fitted = { ...NOTHING, cuts: ["switched off"] };
const UNSHOWN: FittedMessages = { ...OFF, shown: [] };

function isOff({ off }: Settings["context"], name: SectionName): boolean {
  return off.includes(name);
}

/** Of the window that topics share with what is in none yet (seed 003). */
const [TOPICS_SHARE, RECENT_SHARE] = [0.4, 0.7];

function budgetOf({ settings, topics }: ContextInputs, name: SectionName): number {
  const windowTokens = topics?.windowTokens ?? 0;
  if (name === "topics") return Math.floor(windowTokens * TOPICS_SHARE);
  if (name === "history" && topics !== undefined) return Math.floor(windowTokens * RECENT_SHARE);
  const isFull = name === "history" && settings.profile === "full";
  return isFull ? settings.full_history_tokens : settings.tokens[name];
}

function render(name: SectionName, title: string, budgetTokens: number, fitted: Fitted): Rendered {
  return {
    ...fitted,
    name,
    budgetTokens,
    markdown: fitted.body === "" ? "" : `${headingOf(title)}${fitted.body}`,
  };
}

/** What waits stands in Input, whole, where it is to be answered; not in History too. */
function historyWithout(inputs: ContextInputs, inbox: ContextInputs["inbox"]): ContextInputs["history"] {
  const waitingIds = new Set<MessageId>(inbox.map(({ message }) => message.id));
  return (inputs.topics?.recent ?? inputs.history).filter(
    (filed) =>
      inConversation(inputs.viewer, filed) &&
      !waitingIds.has(filed.message.id) &&
      !inbox.some(({ message }) => repeats(message, filed.message)),
  );
}

function headingOf(title: string): string {
  return `## ${title}\n\n`;
}

function isPrivate({ message }: ContextInputs["history"][number]): boolean {
  return message.private === true;
}

function sectionData({ name, markdown, budgetTokens, cuts }: Rendered): SectionData {
  return { name, tokens: Math.ceil(estimateTokens(markdown)), budgetTokens, cuts };
}

function hitData({ passage, score }: Hit, question: number): HitData {
  const { path, lines, day, kind, messageIds, trust } = passage;
  return { path, lines, score, date: day, kind, messageIds, trust, question };
}
