// Plans changes of tools from the catalog's rows alone. Does not interpret definitions and writes nothing.

import { utf8 } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { fail, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { TOOLS_BYTES_MAX, TOOLS_ENABLED_MAX } from './limits.ts'
import { mcpServerOf } from '../skill.ts'
import type { SkillIndex, ToolEntry, WholeTool } from '../skill.ts'
import type { Action, Expect } from './api.ts'
import { buildTool, mergeTools, toolIn } from './merge-tools.ts'
import { applyToolEdits, changeOf } from './plan.ts'
import type { Plan, Snapshot, ToolEdit } from './plan.ts'
import { catalogToolNames, toolActivations, toolVersion } from './tool-rows.ts'
import type { NewTool, ToolOperation } from './tools-api.ts'
import { rollbackPath } from './version-rows.ts'

function kindAndName(tool: string): string {
  const server = mcpServerOf(tool)
  return server === null ? `tool "${tool}"` : `MCP server "${server}"`
}

function label(tool: string): string {
  return `The ${kindAndName(tool)}`
}

/** The change of one tool; null if nothing changes. */
type PlannedEdit = Result<ToolEdit | null>

export function planTools(operation: ToolOperation): Plan {
  return (snapshot) => {
    const edits: ToolEdit[] = []
    for (const edited of operation.kind === 'upsert-tools'
      ? planUpserts(snapshot, operation)
      : [planEdit(snapshot, operation)]) {
      if (!edited.ok) return edited
      if (edited.value) edits.push(edited.value)
    }
    const refused = refuseOverLimit(snapshot, edits)
    return refused ?? ok(changeOf([], operation.kind === 'upsert-tools' ? operation.note : null, edits))
  }
}

/** Plans what a restore does to tools: brings back the workspace's tools and switches of `target`. */
export function planToolsRestore(
  snapshot: Snapshot,
  target: SkillIndex,
  note: string | null,
): Result<readonly ToolEdit[]> {
  const edits: ToolEdit[] = []
  const targetEntry = new Map(target.tools?.map((entry) => [entry.name, entry]))
  for (const name of new Set([...targetEntry.keys(), ...snapshot.overlay.tools.keys()])) {
    const edited = planToolRestore(snapshot, name, targetEntry.get(name))
    if (!edited.ok) return edited
    if (edited.value) edits.push({ ...edited.value, note })
  }
  return refuseOverLimit(snapshot, edits) ?? ok(edits)
}

function planUpserts(
  snapshot: Snapshot,
  { tools, note }: Extract<ToolOperation, { kind: 'upsert-tools' }>,
): readonly PlannedEdit[] {
  const names = new Set<string>()
  return tools.map((newTool) => {
    // Otherwise the result would depend on the order.
    if (names.has(newTool.name))
      return fail('invalid_request', `${label(newTool.name)} is listed twice. List each tool once.`)
    names.add(newTool.name)
    return planUpsert(snapshot, newTool, note)
  })
}

function planUpsert(
  snapshot: Snapshot,
  { name, digest, definition, expect }: NewTool,
  note: string | null,
): PlannedEdit {
  const live = snapshot.overlay.tools.get(name)
  // A client that lost the response repeats its request, which still expects the earlier version. The change
  // has been made already, so this is not a conflict.
  if (live?.digest === digest) return ok(null)
  const refused = refuseStale(snapshot, name, expect)
  if (refused) return refused
  const custom = entryOf(snapshot, { name, digest, definition })
  return ok({ ...createEdit(name, 'put', live ?? null, custom), version: { definition }, note })
}

function planEdit(
  snapshot: Snapshot,
  operation: Exclude<ToolOperation, { kind: 'upsert-tools' }>,
): PlannedEdit {
  const refused = refuseStale(snapshot, operation.tool, operation.expect)
  if (refused) return refused
  if (operation.kind === 'patch-tool') return planSwitch(snapshot, operation.tool, operation.enabled)
  if (operation.kind === 'approve-tool') return planApproval(snapshot, operation.tool, operation.approved)
  if (operation.kind === 'rollback-tool') return planRollback(snapshot, operation.tool, operation.to)
  const live = snapshot.overlay.tools.get(operation.tool)
  return live
    ? ok(createEdit(operation.tool, 'unpublish', live, null))
    : refuseBuildTool(snapshot, operation.tool, 'removed')
}

function planApproval(
  snapshot: Snapshot,
  tool: string,
  approved: NonNullable<ToolEntry['approved']>,
): PlannedEdit {
  const live = toolIn(snapshot.build, snapshot.overlay, tool)
  if (!live) return refuseUnknown(snapshot, tool)
  if (canonicalJson(live.approved) === canonicalJson(approved)) return ok(null)
  const own = snapshot.overlay.tools.get(tool)
  if (own) return ok(createEdit(tool, 'approve', own, { ...own, approved, updated_at: snapshot.now }))
  const { digest } = live
  return ok({
    tool,
    action: 'approve',
    also: [],
    note: null,
    before: digest,
    after: digest,
    ofBuild: { approved },
  })
}

/**
 * The live entry for a version. Keeps the tool's switch and what was approved last; a tool that had been removed is
 * enabled, and nothing of it is approved.
 */
function entryOf(snapshot: Snapshot, version: Pick<ToolEntry, 'name' | 'digest' | 'definition'>): WholeTool {
  const enabled = toolIn(snapshot.build, snapshot.overlay, version.name)?.enabled ?? true
  const { name, digest, definition } = version
  const approved = snapshot.overlay.tools.get(name)?.approved
  const entry = { name, digest, definition, enabled, source: 'workspace', updated_at: snapshot.now } as const
  return approved ? { ...entry, approved } : entry
}

function createEdit(
  tool: string,
  action: Action,
  before: ToolEntry | null,
  after: WholeTool | null,
): ToolEdit {
  const digests = { before: before?.digest ?? null, after: after?.digest ?? null }
  return { tool, custom: after, action, also: [], note: null, ...digests }
}

function planSwitch(snapshot: Snapshot, tool: string, enabled: boolean): PlannedEdit {
  const current = toolIn(snapshot.build, snapshot.overlay, tool)
  if (!current) return refuseUnknown(snapshot, tool)
  if (current.enabled === enabled) return ok(null)
  const action = enabled ? 'enable' : 'disable'
  const changed = {
    tool,
    action,
    also: [],
    note: null,
    before: current.digest,
    after: current.digest,
  } as const
  const own = snapshot.overlay.tools.get(tool)
  return ok({
    ...changed,
    ...(own ? { custom: { ...own, enabled, updated_at: snapshot.now } } : { ofBuild: { enabled } }),
  })
}

function planVersion(snapshot: Snapshot, tool: string, digest: string): PlannedEdit {
  const live = snapshot.overlay.tools.get(tool) ?? null
  if (live?.digest === digest) return ok(null)
  const version = toolVersion(snapshot.sql, tool, digest)
  if (!version) return missingVersion(tool, digest)
  return ok(createEdit(tool, 'rollback', live, entryOf(snapshot, { name: tool, ...version })))
}

export function missingVersion(tool: string, digest: string): Result<never> {
  return fail('not_found', `${label(tool)} has no version ${digest}. GET …/versions lists them.`)
}

function planRollback(snapshot: Snapshot, tool: string, to: string | number): PlannedEdit {
  if (typeof to === 'string') return planVersion(snapshot, tool, to)
  const activations = toolActivations(snapshot.sql, tool)
  if (activations.length === 0) return refuseBuildTool(snapshot, tool, 'rolled back')
  const earlier = rollbackPath(activations, snapshot.overlay.tools.get(tool)?.digest ?? null)
  const digest = earlier[-to - 1]
  if (digest !== undefined) return planVersion(snapshot, tool, digest)
  const count = earlier.length
  const existing = count === 0 ? 'no' : `only ${count}`
  return fail(
    'invalid_request',
    `${label(tool)} cannot go back by ${-to}: it has ${existing} earlier version${count === 1 ? '' : 's'}. To use any other version, name its digest.`,
  )
}

function planToolRestore(snapshot: Snapshot, name: string, targetEntry: ToolEntry | undefined): PlannedEdit {
  const live = snapshot.overlay.tools.get(name)
  if (targetEntry?.source !== 'workspace') return ok(restoreBuildTool(snapshot, name, live, targetEntry))
  const also =
    live && live.enabled !== targetEntry.enabled
      ? ([targetEntry.enabled ? 'enable' : 'disable'] as const)
      : []
  if (live?.digest === targetEntry.digest && also.length === 0) return ok(null)
  const version = toolVersion(snapshot.sql, name, targetEntry.digest)
  if (!version) return missingVersion(name, targetEntry.digest)
  const custom = { ...entryOf(snapshot, { name, ...version }), enabled: targetEntry.enabled }
  return ok({ ...createEdit(name, 'restore', live ?? null, custom), also })
}

/** Removes the workspace's tool of that name and restores the switch of the build's tool from `targetEntry`. */
function restoreBuildTool(
  snapshot: Snapshot,
  name: string,
  live: ToolEntry | undefined,
  targetEntry: ToolEntry | undefined,
): ToolEdit | null {
  const buildEntry = buildTool(snapshot.build, snapshot.overlay, name)
  const switchEdit =
    buildEntry && targetEntry && buildEntry.enabled !== targetEntry.enabled
      ? { ofBuild: { enabled: targetEntry.enabled } }
      : {}
  if (live) return { ...createEdit(name, 'restore', live, null), also: ['unpublish'], ...switchEdit }
  if (!buildEntry || !switchEdit.ofBuild) return null
  const also = [switchEdit.ofBuild.enabled ? 'enable' : 'disable'] as const
  const digest = buildEntry.digest
  return { tool: name, action: 'restore', also, note: null, before: digest, after: digest, ...switchEdit }
}

/** The error if the live version is not the expected one; null if it is. */
function refuseStale(snapshot: Snapshot, tool: string, expect: Expect): Result<never> | null {
  const current = toolIn(snapshot.build, snapshot.overlay, tool)?.digest ?? null
  if (expect === undefined || current === expect || (expect === '*' && current !== null)) return null
  const detail =
    expect === null
      ? `${label(tool)} already exists, at ${current}. To change it, send that digest in If-Match.`
      : `${label(tool)} is at ${current ?? 'no version'}, not at ${expect}. Read it again and base your change on that.`
  return fail('stale_version', detail)
}

function refuseUnknown(snapshot: Snapshot, tool: string): Result<never> {
  const earlierNames = catalogToolNames(snapshot.sql)
  if (earlierNames.includes(tool))
    return fail(
      'not_found',
      `${label(tool)} was removed. To restore it, send POST …/rollback with {"to": -1}.`,
    )
  const names = [...mergeTools(snapshot.build, snapshot.overlay).map(({ name }) => name), ...earlierNames]
  return fail(
    'not_found',
    `There is no ${kindAndName(tool)} in this catalog.${didYouMean(tool, [...new Set(names)])}`,
  )
}

function refuseBuildTool(snapshot: Snapshot, tool: string, operation: string): Result<never> {
  if (!buildTool(snapshot.build, snapshot.overlay, tool)) return refuseUnknown(snapshot, tool)
  return fail(
    'invalid_request',
    `${label(tool)} is part of the build: you can switch it on and off, but it cannot be ${operation}. To replace it, create a tool of the same name.`,
  )
}

/** The number of tools of an entry: itself, or those that were approved of a server. */
function toolCount({ approved }: ToolEntry): number {
  const tools = approved?.['tools']
  return Array.isArray(tools) ? tools.length : 1
}

const sizes = new WeakMap<ToolEntry, number>()

function bytesOf(tool: ToolEntry): number {
  const { definition, approved, details } = tool
  const bytes = sizes.get(tool) ?? details?.bytes ?? utf8(JSON.stringify([definition, approved])).length
  sizes.set(tool, bytes)
  return bytes
}

/**
 * The error if the tools would exceed a limit; null if not. A change that only removes or disables tools is allowed.
 */
function refuseOverLimit(snapshot: Snapshot, edits: readonly ToolEdit[]): Result<never> | null {
  if (!edits.some(({ custom, ofBuild }) => custom || ofBuild?.enabled || ofBuild?.approved)) return null
  const tools = mergeTools(snapshot.build, applyToolEdits(snapshot.overlay, edits))
  const enabled = tools.filter((tool) => tool.enabled).reduce((sum, tool) => sum + toolCount(tool), 0)
  if (enabled > TOOLS_ENABLED_MAX)
    return fail(
      'invalid_request',
      `This change would leave ${enabled} tools switched on; the limit for a workspace is ${TOOLS_ENABLED_MAX}. Switch some tools off first.`,
    )
  const bytes = tools.reduce((sum, tool) => sum + bytesOf(tool), 0)
  if (bytes <= TOOLS_BYTES_MAX) return null
  return fail(
    'invalid_request',
    `All tool definitions together would have ${bytes} bytes; the limit for a workspace is ${TOOLS_BYTES_MAX}. Remove some tools first.`,
  )
}
