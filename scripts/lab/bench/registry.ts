// The parts of the bench by name, in the order of the table, and groups of them.

import type { PartResult, ReportProgress } from '../rig/lines.ts'
import { measureBackup } from './backup.ts'
import { measureDocuments } from './documents.ts'
import { measureFiles } from './files.ts'
import { measureGrep } from './grep.ts'
import { measureLongThread } from './long.ts'
import { measureBuild, measurePushes, measureSize } from './once.ts'
import { measurePage } from './page.ts'
import { measureBeside } from './sandbox-beside.ts'
import { measureSandboxHostile } from './sandbox-hostile.ts'
import { measureLarge } from './sandbox-large.ts'
import { measureMemory } from './sandbox-memory.ts'
import { measureRuntimes } from './sandbox-runtimes.ts'
import { measureTool } from './sandbox-tool.ts'
import { measureWork } from './sandbox-work.ts'
import { measureLargeBuilds } from './skills-build.ts'
import { measureHostileSkills } from './skills-hostile.ts'
import { measureNextRuns } from './skills-next.ts'
import { measureSearch } from './skills-search.ts'
import { measureRunStart } from './skills-start.ts'
import { measureNpmStart } from './start-npm.ts'
import { measureWorkerStart } from './start-worker.ts'
import { measureToolCalls } from './tool-calls.ts'
import { measureToolCatalog } from './tool-catalog.ts'
import { measureToolSearch } from './tool-search.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureWorkspaceScale } from './workspace-scale.ts'

export type BenchPart = (tell: ReportProgress) => Promise<PartResult>

/** Each part takes less than a minute, commands up to two minutes, and hostile scripts three. */
export const BENCH_PARTS: Readonly<Record<string, BenchPart>> = {
  long: measureLongThread,
  webhooks: measureWebhooks,
  'tool-search': measureToolSearch,
  'tool-calls': measureToolCalls,
  'tool-catalog': measureToolCatalog,
  'workspace-scale': measureWorkspaceScale,
  files: measureFiles,
  backup: measureBackup,
  grep: measureGrep,
  documents: measureDocuments,
  'start-npm': measureNpmStart,
  'start-worker': measureWorkerStart,
  build: measureBuild,
  push: measurePushes,
  size: measureSize,
  page: measurePage,
  'sandbox-tool': measureTool,
  'sandbox-runtimes': measureRuntimes,
  'sandbox-work': measureWork,
  'sandbox-large': measureLarge,
  'sandbox-beside': measureBeside,
  'sandbox-memory': measureMemory,
  'sandbox-hostile': measureSandboxHostile,
  'skills-start': measureRunStart,
  'skills-next': measureNextRuns,
  'skills-search': measureSearch,
  'skills-build': measureLargeBuilds,
  'skills-hostile': measureHostileSkills,
}

/** The prefix of a name is its group. */
export const PART_GROUPS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ['start', 'sandbox', 'skills'].map((group) => [
    group,
    Object.keys(BENCH_PARTS).filter((part) => part.startsWith(`${group}-`)),
  ]),
)
