/** The bots of the house. */

import { t } from "./text.js";

export const LEVELS = ["easy", "medium", "hard", "expert"];

/** What a house bot of a level is called. */
export function botTitle(level) {
  const titles = { easy: t("Bot: easy"), medium: t("Bot: medium"), hard: t("Bot: hard"), expert: t("Bot: expert") };
  return titles[level] ?? level;
}
