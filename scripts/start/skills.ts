// Manages the skills of a running server: builds them, pushes them to its stores, registers them with its Worker, and
// repeats this after each edit. Never writes to the checkout.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { systemClock } from '../../src/lib/clock.ts'
import { makeBuild, type Build, type BuildOutcome, type BuiltSkill } from '../build/build.ts'
import { openCache, type BuildCache } from '../build/cache.ts'
import { onlyErrors, outcomeLines, withoutErrors } from '../build/report.ts'
import { unsearchedMessage } from '../skill-folders/unseen.ts'
import { shownPath } from '../lib/shown-path.ts'
import { counted } from '../../src/lib/counted.ts'
import { localTarget } from '../push/local-target.ts'
import { pushBuild, type Progress } from '../push/push.ts'
import { rememberKeys } from '../push/remembering.ts'
import { harmlessLine, formatDuration } from '../lib/terminal.ts'
import { registerBuild } from './register-build.ts'
import { watchFolders } from './watch.ts'

import type { StartMessage } from './messages.ts'
import type { LocalRuntime } from '../workerd/runtime.ts'

const SHOWN_FINDINGS_MAX = 20
/** The file in the state folder that contains the build cache for the next start. */
const CACHE_FILE = 'satchel-skills.json'

export class LiveSkills {
  readonly #start: StartMessage
  readonly #folders: readonly string[]
  readonly #note: (text: string) => void
  readonly #onAlive: () => void
  #outcome: BuildOutcome
  #reported: ReadonlySet<string> = new Set()
  #pushed: string | null = null
  /** The digest of the build that was registered last. */
  #served: string | null = null
  /** The build cache, so that only edited skills are read again. */
  readonly #cache: BuildCache
  /** Keys that this process found in the stores or stored. */
  readonly #present = new Set<string>()

  private constructor(
    start: StartMessage,
    folders: readonly string[],
    outcome: BuildOutcome,
    cache: BuildCache,
    note: (text: string) => void,
    onAlive: () => void,
  ) {
    this.#start = start
    this.#onAlive = onAlive
    this.#cache = cache
    this.#folders = folders
    this.#outcome = outcome
    this.#note = note
  }

  /** Builds `skills/` and the folders of --skills. */
  static async open(
    start: StartMessage,
    note: (text: string) => void,
    /** Called for each skill that is checked, and for each request to the Worker. */
    onAlive: () => void,
    /** Called for each skill that is read. */
    onRead: Progress = () => {},
  ): Promise<LiveSkills> {
    const folders = [join(start.root, 'skills'), ...start.skills]
    const fileCache = await openCache(join(start.persist, CACHE_FILE), systemClock)
    const cache: BuildCache = {
      ...fileCache,
      get(skill, files) {
        onAlive()
        return fileCache.get(skill, files)
      },
    }
    const outcome = await makeBuild(folders, false, cache, onRead)
    const skills = new LiveSkills(start, folders, outcome, cache, note, onAlive)
    // Ignore failures: without the cache, the next start is only slower.
    await fileCache.save().catch(() => {})
    skills.#reportFindings()
    return skills
  }

  get digest(): string {
    return this.#outcome.build.digest
  }

  summary(): string {
    const { build, skills } = this.#outcome
    const broken = skills.filter(({ entry }) => entry === null).length
    const brokenNote = broken === 0 ? '' : `, ${broken.toLocaleString('en-US')} cannot be loaded (above)`
    return `${counted(build.index.skills.length, 'skill')} built${brokenNote}`
  }

  /**
   * Updates the stores and the Worker to this build after a start, a restart or an edit. Returns the number of sent
   * objects. Rejects if a store or the Worker fails; the Worker then serves the earlier build.
   */
  async publish(runtime: LocalRuntime, progress?: Progress): Promise<number> {
    const { build } = this.#outcome
    const sent = this.#pushed === build.digest ? 0 : await push(build, runtime, this.#present, progress)
    this.#pushed = build.digest
    const { digest } = build
    await registerBuild(this.#start, digest, this.#onAlive, sleep)
    this.#served = digest
    return sent
  }

  /** Starts to publish edited skills, within a second of each edit. */
  watch(runtime: LocalRuntime): void {
    watchFolders(this.#folders, async () => this.#rebuild(runtime), this.#note)
  }

  async #rebuild(runtime: LocalRuntime): Promise<void> {
    const startedMs = performance.now()
    const before = this.#outcome
    try {
      this.#outcome = await makeBuild(this.#folders, false, this.#cache)
      this.#reportFindings()
      if (this.digest === this.#served) return
      await this.publish(runtime)
      this.#note(
        `${changes(before, this.#outcome)} (live after ${formatDuration(performance.now() - startedMs)})`,
      )
    } catch (error) {
      this.#note(`The edited skills are not live: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Reports the findings that were not reported before, so that an edit does not repeat all of them. */
  #reportFindings(): void {
    // Errors come first, because they hide skills and the number of shown lines is limited.
    const cwd = process.cwd()
    const unsearchedLine = unsearchedMessage(this.#outcome.unsearched, (path) => shownPath(path, cwd))
    const lines = [
      ...[onlyErrors, withoutErrors].flatMap((select) => outcomeLines(select(this.#outcome), cwd, false)),
      ...(unsearchedLine === null ? [] : [unsearchedLine]),
    ]
    const newLines = lines.filter((line) => !this.#reported.has(line))
    this.#reported = new Set(lines)
    for (const line of newLines.slice(0, SHOWN_FINDINGS_MAX)) this.#note(line)
    if (newLines.length > SHOWN_FINDINGS_MAX)
      this.#note(`… and ${newLines.length - SHOWN_FINDINGS_MAX} more: npm run skills:build lists them all`)
  }
}

async function push(
  build: Build,
  runtime: LocalRuntime,
  present: Set<string>,
  progress?: Progress,
): Promise<number> {
  const sent = await pushBuild(build, rememberKeys(localTarget(runtime.stores), present), progress)
  return sent.blobs + sent.kv
}

/**
 * Describes the differences between two builds, such as `skills: changed a, added b`. Marks missing skills that are in
 * fact invalid.
 */
export function changes(
  before: Pick<BuildOutcome, 'build' | 'skills'>,
  after: Pick<BuildOutcome, 'build' | 'skills'>,
): string {
  const oldDigests = new Map(before.build.index.skills.map((skill) => [skill.name, skill.digest]))
  const newDigests = new Map(after.build.index.skills.map((skill) => [skill.name, skill.digest]))
  const broken = new Set(after.skills.filter(({ entry }) => entry === null).map(locationOf))
  const unloaded = new Set(
    before.skills.filter((skill) => broken.has(locationOf(skill))).map(({ entry }) => entry?.name),
  )
  const gone = [...oldDigests.keys()].filter((name) => !newDigests.has(name))
  const parts: readonly (readonly [string, readonly string[]])[] = [
    [
      'changed',
      [...newDigests.keys()].filter(
        (name) => oldDigests.has(name) && oldDigests.get(name) !== newDigests.get(name),
      ),
    ],
    ['added', [...newDigests.keys()].filter((name) => !oldDigests.has(name))],
    ['gone', gone.map((name) => (unloaded.has(name) ? `${name}: it no longer loads (see above)` : name))],
  ]
  const summary = parts
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what} ${names.join(', ')}`)
  return harmlessLine(`skills: ${summary.join('; ') || 'switches changed'}`)
}

function locationOf({ location, skillFile }: BuiltSkill): string {
  return join(location, skillFile)
}
