/** How a conversation is kept in topics. */
import * as z from "zod";
import { count, positive, section } from "./fields.js";

/** By which somebody says that they have told it before. */
const FORGETTING_SIGNS = [
  "I told you",
  "I've told you",
  "I already told",
  "I mentioned",
  "as I said",
  "you forgot",
  "don't you remember",
  "do you remember",
  "we talked about",
  "we discussed",
  "last time we",
  "remember when",
  "你忘了",
  "忘记了吗",
  "你还记得",
  "我跟你说过",
  "我和你说过",
  "我说过",
  "之前说",
  "上次说",
  "上次我们",
  "我们讨论过",
  "我们聊过",
] as const;

export const topics = section({
  enabled: z.boolean().default(false).describe("whether conversations are kept in topics"),
  window_tokens: count
    .min(2000)
    .default(32_000)
    .describe(
      "size of one window: beyond 70 % of it what is in no topic is split, and a topic divided; the prompt shows 40 % of it of topics, and 70 % of what is in none",
    ),
  keep_messages: count.default(20).describe("the last so many messages are in no topic in any case"),
  parallel: count.default(4).describe("so many windows are asked at once"),
  turn_tokens: count
    .default(200_000)
    .describe("all windows of a turn together read no more; the rest count as they did before"),
  least_active: count.default(3).describe("so many topics stay awake whatever they are about"),
  target_active: count.default(10).describe("the more topics are awake beyond it, the fewer are woken"),
  most_active: count.default(20).describe("more topics are never awake"),
  review_at: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is no time of day such as "04:00"')
    .default("04:00")
    .describe("when topics are looked through, once a day; at the start where that was missed"),
  sleep_days: positive
    .default(7)
    .describe("a topic that slept through so many days on which something was said is archived"),
  forgetting_signs: z
    .array(z.string().min(2))
    .default([...FORGETTING_SIGNS])
    .describe(
      "words by which somebody says that they have told it before: sleeping topics are looked through",
    ),
});
