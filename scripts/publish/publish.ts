// Publishes skills in four steps: compare, show, ask, commit. Used by skills:publish and by skills:add --to.

import type { ClientFailure } from '../../src/client/types.ts'
import { isYes } from '../lib/ask.ts'
import { counted } from '../../src/lib/counted.ts'
import { explainFailure } from '../lib/server.ts'
import { harmlessLine } from '../lib/terminal.ts'
import {
  commitCompared,
  readLiveVersions,
  sendMissing,
  dryRunCommit,
  type ComparedSkill,
  type DryRun,
} from './exchange.ts'
import type { Sendable } from './gather.ts'
import { splitIntoCommits } from './commit-batches.ts'
import type { PublishPorts } from './ports.ts'
import { sourceFile, createProgressReporter, showDiffs, comparisonLines } from './report.ts'

export interface PublishOptions {
  readonly unpublish: readonly string[]
  readonly note: string | null
  readonly yes: boolean
  readonly dryRun: boolean
  /** Whether to show the lines that differ. */
  readonly diff: boolean
  readonly notes: boolean
}

/** The outcome, for `--json`. */
export interface PublishOutcome {
  /**
   * The exit status: 0 if done or nothing to do, 1 if refused, 2 if there is no terminal for confirmation.
   */
  readonly status: 0 | 1 | 2
  readonly published: boolean
  readonly trial: DryRun | null
  readonly catalogVersion: number | null
}

export async function publishSkills(
  skills: readonly Sendable[],
  options: PublishOptions,
  ports: PublishPorts,
): Promise<PublishOutcome> {
  const trial = await compare(skills, options, ports)
  if (trial === null) return { status: 1, published: false, trial, catalogVersion: null }
  for (const line of comparisonLines(trial.skills, options.notes)) ports.say(line)
  if (options.diff) await showDiffs(trial.skills, ports)
  for (const { name } of trial.unpublished) ports.say(`unpublish   ${harmlessLine(name)}`)

  const unchanged = { published: false, trial, catalogVersion: trial.catalogVersion }
  const changedSkills = trial.skills.filter(({ state }) => state !== 'same')
  if (changedSkills.length === 0 && trial.unpublished.length === 0) {
    ports.say(`Nothing to publish: catalog version ${trial.catalogVersion} already contains all of it.`)
    return { status: 0, ...unchanged }
  }
  const commits = splitIntoCommits(changedSkills, ({ skill }) => skill)
  const action = describeAction(changedSkills.length, trial.unpublished.length)
  if (commits.length > 1)
    ports.say(
      `That is more than fits in one commit: it will be published as ${commits.length} consecutive catalog versions.`,
    )
  if (options.dryRun) {
    ports.say(`Without --dry-run, this would ${action}. Nothing was changed.`)
    return { status: 0, ...unchanged }
  }
  if (!options.yes) {
    if (!ports.ask) {
      ports.complain(
        `No terminal is available for confirmation. Nothing was changed; to ${action}, run the command again with --yes.`,
      )
      return { status: 2, ...unchanged }
    }
    const question = `${action.replace(/^./, (first) => first.toUpperCase())} to ${ports.url}? [y/N] `
    if (!isYes(await ports.ask(question))) {
      ports.say('Nothing was changed.')
      return { status: 1, ...unchanged }
    }
  }
  return commitAll(commits.length === 0 ? [[]] : commits, trial, options, ports)
}

/** Sends the files and runs a dry run. If the server refuses, reports why and returns null. */
async function compare(
  skills: readonly Sendable[],
  { unpublish }: PublishOptions,
  ports: PublishPorts,
): Promise<DryRun | null> {
  const compared: ComparedSkill[] = []
  let catalogVersion = 0
  const refused = (error: ClientFailure, part: readonly Sendable[]): null => {
    reportFailure(error, part, unpublish, ports)
    return null
  }
  const unpublished = await readLiveVersions(ports.client, unpublish)
  if (!unpublished.ok) return refused(unpublished.error, [])
  const parts = splitIntoCommits(skills, (skill) => skill)
  for (const [at, part] of (parts.length === 0 ? [[]] : parts).entries()) {
    const unpublishing = at === 0 ? unpublished.value : []
    let arrivedCount = 0
    const reportProgress = createProgressReporter(ports.say)
    const onSent = (done: number, all: number): void => reportProgress((arrivedCount = done), all)
    const sent = part.length === 0 ? null : await sendMissing(ports.client, part, onSent)
    if (sent?.ok === false) {
      const arrivedNote =
        arrivedCount === 0
          ? ''
          : ` ${counted(arrivedCount, 'file')} arrived, and will not be sent again today.`
      ports.complain(`Nothing was published.${arrivedNote}`)
      return refused(sent.error, part)
    }
    const tried = await dryRunCommit(ports.client, part, unpublishing)
    if (!tried.ok) return refused(tried.error, part)
    compared.push(...tried.value.skills)
    catalogVersion = tried.value.catalogVersion
  }
  return { catalogVersion, skills: compared, unpublished: unpublished.value }
}

async function commitAll(
  parts: readonly (readonly ComparedSkill[])[],
  trial: DryRun,
  { note }: PublishOptions,
  ports: PublishPorts,
): Promise<PublishOutcome> {
  let version: number | null = null
  for (const [at, part] of parts.entries()) {
    const unpublishing = at === parts.length - 1 ? trial.unpublished : []
    const done = await commitCompared(ports.client, part, unpublishing, note)
    if (!done.ok) {
      const isStale = done.error.kind === 'problem' && done.error.problem.code === 'stale_version'
      // Repeating a commit whose response was lost succeeds, so this conflict comes from another client.
      if (isStale)
        ports.complain(
          `Somebody else changed one of these skills in the meantime. Nothing ${at > 0 ? 'more ' : ''}was changed; run the command again to see the current differences.`,
        )
      reportFailure(
        done.error,
        part.map(({ skill }) => skill),
        unpublishing.map(({ name }) => name),
        ports,
      )
      const progress = progressText(at, parts.length, done.error.kind !== 'problem')
      if (progress !== '') ports.complain(progress)
      return { status: 1, published: at > 0, trial, catalogVersion: version }
    }
    version = done.value.catalog_version
  }
  ports.say(`Done: catalog version ${version} is live.`)
  return { status: 0, published: true, trial, catalogVersion: version }
}

/** What is published after part `at` failed; empty if nothing is. It is unknown without a response. */
function progressText(at: number, partCount: number, isUnknown: boolean): string {
  const published = at > 0 ? `${at} of ${partCount} parts are published` : ''
  const what = partCount > 1 ? `part ${at + 1}` : 'this'
  if (isUnknown)
    return `${published && `${published}. `}It is unknown whether ${what} was published; run the command again to see what is not.`
  return published && `${published}; run the command again to publish the others.`
}

function reportFailure(
  failure: ClientFailure,
  skills: readonly Sendable[],
  unpublish: readonly string[],
  { url, complain }: PublishPorts,
): void {
  const explanation = explainFailure(failure, url, (path) => sourceFile(path, skills, unpublish))
  // The server's message names an API field; replace it with the flag of this command.
  complain(
    explanation.replace(/with accept: \[\{"rule":"([^"]+)","reason":"…"\}\]/g, 'with --accept $1=REASON'),
  )
}

function describeAction(publishing: number, unpublishing: number): string {
  const parts = [
    ...(publishing > 0 ? [`publish ${counted(publishing, 'skill')}`] : []),
    ...(unpublishing > 0 ? [`unpublish ${counted(unpublishing, 'skill')}`] : []),
  ]
  return parts.join(' and ')
}
