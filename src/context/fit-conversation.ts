/** The History section: a few of the newest messages (`lean`), or a window with a summary of what came before it (`full`). */
import type { FiledMessage } from "../model/message.js";
import type { FittedMessages } from "./fit-history.js";
import { fitHistory } from "./fit-history.js";
import { fitWindow } from "./fit-window.js";
import type { ContextInputs } from "./inputs.js";

export function fitConversation(
  messages: readonly FiledMessage[],
  { settings, zone, window, topics }: Pick<ContextInputs, "settings" | "zone" | "window" | "topics">,
  budgetTokens: number,
): FittedMessages {
  // What no longer stands there is in a topic.
  if (topics !== undefined) return fitWindow(messages, undefined, zone, budgetTokens);
  switch (settings.profile) {
    case "lean":
      return fitHistory(messages, settings, zone, budgetTokens);
    case "full":
      return fitWindow(messages, window, zone, budgetTokens);
    default:
      return settings.profile satisfies never;
  }
}
