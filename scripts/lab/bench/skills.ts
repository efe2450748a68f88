// The parts of the bench that are about skills, by name: each measures one thing and answers its lines.

import { measureLargeBuilds } from './skills-build.ts'
import { measureHostile } from './skills-hostile.ts'
import { measureNextRuns } from './skills-next.ts'
import { measureSearch } from './skills-search.ts'
import { measureRunStart } from './skills-start.ts'
import { hostileLines, largeBuildLines, nextRunLines, runStartLines, searchLines } from './skills-table.ts'
import type { Measured, Tell } from './part.ts'
import type { Line } from './table.ts'

async function measured<T>(
  figures: T | Promise<T>,
  lines: (figures: T) => readonly Line[],
): Promise<Measured> {
  const made = await figures
  return { lines: lines(made), figures: made }
}

/** Each takes less than a minute; `skills-next` two. */
export const SKILL_PARTS = {
  'skills-start': () => measured(measureRunStart(), runStartLines),
  'skills-next': () => measured(measureNextRuns(), nextRunLines),
  'skills-search': () => measured(measureSearch(), searchLines),
  'skills-build': () => measured(measureLargeBuilds(), largeBuildLines),
  'skills-hostile': (tell: Tell) => measured(measureHostile(tell), hostileLines),
} as const satisfies Readonly<Record<string, (tell: Tell) => Promise<Measured>>>
