// Plans each change of tools from the catalog's rows alone. Reads no definition and writes nothing.

import { utf8 } from '../../lib/bytes.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { TOOLS_BYTES_MAX, TOOLS_ENABLED_MAX } from './limits.ts'
import type { SkillIndex, ToolEntry } from '../skill.ts'
import type { Action, Expect } from './api.ts'
import { buildTool, mergeTools, toolIn } from './merge-tools.ts'
import { appliedTools, changeOf } from './plan.ts'
import type { Plan, Snapshot, ToolEdit } from './plan.ts'
import { catalogToolNames, toolTimes, toolVersion } from './tool-rows.ts'
import type { NewTool, ToolOperation } from './tools-api.ts'
import { wayBack } from './version-rows.ts'

/** The change of one tool; null if nothing changes. */
type Edited = Result<ToolEdit | null>

export function planTools(operation: ToolOperation): Plan {
  return (at) => {
    const edits: ToolEdit[] = []
    for (const edited of operation.kind === 'upsert-tools' ? puts(at, operation) : [edit(at, operation)]) {
      if (!edited.ok) return edited
      if (edited.value) edits.push(edited.value)
    }
    const full = tooMuch(at, edits)
    return full ?? ok(changeOf([], operation.kind === 'upsert-tools' ? operation.note : null, edits))
  }
}

/** What a restore does to tools: the workspace's tools and switches as in `target`. */
export function toolsAsIn(
  at: Snapshot,
  target: SkillIndex,
  note: string | null,
): Result<readonly ToolEdit[]> {
  const edits: ToolEdit[] = []
  const was = new Map(target.tools?.map((entry) => [entry.name, entry]))
  for (const name of new Set([...was.keys(), ...at.overlay.tools.keys()])) {
    const edited = restored(at, name, was.get(name))
    if (!edited.ok) return edited
    if (edited.value) edits.push({ ...edited.value, note })
  }
  return tooMuch(at, edits) ?? ok(edits)
}

function puts(
  at: Snapshot,
  { tools, note }: Extract<ToolOperation, { kind: 'upsert-tools' }>,
): readonly Edited[] {
  const names = new Set<string>()
  return tools.map((one) => {
    // Otherwise the result would depend on the order.
    if (names.has(one.name)) return fail('invalid_request', `The tool "${one.name}" is named twice.`)
    names.add(one.name)
    return put(at, one, note)
  })
}

function put(at: Snapshot, { name, digest, definition, expect }: NewTool, note: string | null): Edited {
  const live = at.overlay.tools.get(name)
  // A repeated request, after a lost answer, expects the earlier version: the change is done.
  if (live?.digest === digest) return ok(null)
  const late = stale(at, name, expect)
  if (late) return late
  const custom = entryOf(at, { name, digest, definition })
  return ok({ ...edited(name, 'put', live ?? null, custom), version: { definition }, note })
}

function edit(at: Snapshot, operation: Exclude<ToolOperation, { kind: 'upsert-tools' }>): Edited {
  const late = stale(at, operation.tool, operation.expect)
  if (late) return late
  if (operation.kind === 'patch-tool') return switched(at, operation.tool, operation.enabled)
  if (operation.kind === 'rollback-tool') return rolledBack(at, operation.tool, operation.to)
  const live = at.overlay.tools.get(operation.tool)
  return live ? ok(edited(operation.tool, 'unpublish', live, null)) : notOurs(at, operation.tool, 'removed')
}

/** The live entry of a version. The tool keeps its switch; a removed one comes back enabled. */
function entryOf(at: Snapshot, version: Pick<ToolEntry, 'name' | 'digest' | 'definition'>): ToolEntry {
  const enabled = toolIn(at.build, at.overlay, version.name)?.enabled ?? true
  const { name, digest, definition } = version
  return { name, digest, definition, enabled, source: 'workspace', updated_at: at.now }
}

function edited(tool: string, action: Action, before: ToolEntry | null, after: ToolEntry | null): ToolEdit {
  const digests = { before: before?.digest ?? null, after: after?.digest ?? null }
  return { tool, custom: after, action, also: [], note: null, ...digests }
}

function switched(at: Snapshot, tool: string, enabled: boolean): Edited {
  const seen = toolIn(at.build, at.overlay, tool)
  if (!seen) return unknown(at, tool)
  if (seen.enabled === enabled) return ok(null)
  const action = enabled ? 'enable' : 'disable'
  const changed = { tool, action, also: [], note: null, before: seen.digest, after: seen.digest } as const
  const ours = seen.source === 'workspace'
  return ok({ ...changed, ...(ours ? { custom: { ...seen, enabled, updated_at: at.now } } : { enabled }) })
}

function toVersion(at: Snapshot, tool: string, digest: string): Edited {
  const live = at.overlay.tools.get(tool) ?? null
  if (live?.digest === digest) return ok(null)
  const version = toolVersion(at.sql, tool, digest)
  if (!version) return noVersion(tool, digest)
  return ok(edited(tool, 'rollback', live, entryOf(at, { name: tool, ...version })))
}

export function noVersion(tool: string, digest: string): Result<never> {
  return fail(
    'not_found',
    `The tool "${tool}" has no version ${digest}. GET /admin/tools/${tool}/versions lists them.`,
  )
}

function rolledBack(at: Snapshot, tool: string, to: string | number): Edited {
  if (typeof to === 'string') return toVersion(at, tool, to)
  const times = toolTimes(at.sql, tool)
  if (times.length === 0) return notOurs(at, tool, 'rolled back')
  const earlier = wayBack(times, at.overlay.tools.get(tool)?.digest ?? null)
  const digest = earlier[-to - 1]
  if (digest !== undefined) return toVersion(at, tool, digest)
  return fail(
    'invalid_request',
    `"${tool}" cannot go back ${-to}: it has ${earlier.length} earlier version${earlier.length === 1 ? '' : 's'} to go back to. Name any other by its digest.`,
  )
}

function restored(at: Snapshot, name: string, was: ToolEntry | undefined): Edited {
  const live = at.overlay.tools.get(name)
  if (was?.source !== 'workspace') return ok(asBuilt(at, name, live, was))
  const also = live && live.enabled !== was.enabled ? ([was.enabled ? 'enable' : 'disable'] as const) : []
  if (live?.digest === was.digest && also.length === 0) return ok(null)
  const version = toolVersion(at.sql, name, was.digest)
  if (!version) return noVersion(name, was.digest)
  const custom = { ...entryOf(at, { name, ...version }), enabled: was.enabled }
  return ok({ ...edited(name, 'restore', live ?? null, custom), also })
}

/** Removes the workspace's tool of that name, and restores the switch of the build's tool if `target` has it. */
function asBuilt(
  at: Snapshot,
  name: string,
  live: ToolEntry | undefined,
  was: ToolEntry | undefined,
): ToolEdit | null {
  const built = buildTool(at.build, at.overlay, name)
  const turned = built && was && built.enabled !== was.enabled ? { enabled: was.enabled } : {}
  if (live) return { ...edited(name, 'restore', live, null), also: ['unpublish'], ...turned }
  if (!built || !('enabled' in turned)) return null
  const also = [turned.enabled ? 'enable' : 'disable'] as const
  const digest = built.digest
  return { tool: name, action: 'restore', also, note: null, before: digest, after: digest, ...turned }
}

/** The error when the live version is not the expected one; null if it is. */
function stale(at: Snapshot, tool: string, expect: Expect): Result<never> | null {
  const seen = toolIn(at.build, at.overlay, tool)?.digest ?? null
  if (expect === undefined || seen === expect || (expect === '*' && seen !== null)) return null
  const detail =
    expect === null
      ? `The tool "${tool}" exists already, at ${seen}. Name that digest to change it.`
      : `The tool "${tool}" is at ${seen ?? 'no version'}, not at ${expect}. Read it again, then change what is live.`
  return fail('stale_version', detail)
}

function unknown(at: Snapshot, tool: string): Result<never> {
  const gone = catalogToolNames(at.sql)
  if (gone.includes(tool))
    return fail('not_found', `The tool "${tool}" was removed. POST …/rollback {"to": -1} restores it.`)
  const names = [...mergeTools(at.build, at.overlay).map(({ name }) => name), ...gone]
  return fail('not_found', `No tool "${tool}" in this catalog.${didYouMean(tool, [...new Set(names)])}`)
}

function notOurs(at: Snapshot, tool: string, operation: string): Result<never> {
  if (!buildTool(at.build, at.overlay, tool)) return unknown(at, tool)
  return fail(
    'invalid_request',
    `"${tool}" comes with the build: it can be switched on and off, not ${operation}. Create a tool of the same name to replace it.`,
  )
}

/** The error when the tools would exceed a limit; null if they do not. Tools that exceed it already may still shrink. */
function tooMuch(at: Snapshot, edits: readonly ToolEdit[]): Result<never> | null {
  if (!edits.some(({ custom, enabled }) => custom || enabled)) return null
  const tools = mergeTools(at.build, appliedTools(at.overlay, edits))
  const enabled = tools.filter((tool) => tool.enabled).length
  if (enabled > TOOLS_ENABLED_MAX)
    return fail(
      'invalid_request',
      `That would switch on ${enabled} tools; a workspace may have ${TOOLS_ENABLED_MAX}. Switch some off first.`,
    )
  const bytes = tools.reduce((sum, { definition }) => sum + utf8(JSON.stringify(definition)).length, 0)
  if (bytes <= TOOLS_BYTES_MAX) return null
  return fail(
    'invalid_request',
    `All definitions together would have ${bytes} bytes; a workspace may have ${TOOLS_BYTES_MAX}. Remove some first.`,
  )
}
