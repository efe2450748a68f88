// Keeps the long parts of tools (descriptions, schemas and requests) out of the index if there are many. They are in
// separate objects, which are read when a tool is listed, searched or called. Knows which parts are long, but does not
// interpret them.

import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { isObject } from '../../lib/json-object.ts'
import { fail, ok, type Result } from '../../lib/result.ts'
import { cutText } from '../../lib/text.ts'
import { estimateTokens } from '../../lib/tokens.ts'
import { TOOLS_IN_INDEX_MAX_BYTES, TOOLS_IN_ONE_OBJECT_MAX, TOOL_LINE_MAX_CHARS } from './limits.ts'
import { mcpServerOf, type ToolEntry, type WholeTool } from '../skill.ts'

type Json = Readonly<Record<string, unknown>>

/** The fields of a tool's definition, and of each approved tool of a server, that stay in the index. */
const KEPT = ['name', 'tool', 'group', 'effect', 'approval', 'digest']
/** The annotations of a server's tool that determine its effect. */
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint']

interface Split {
  /** The entry without its long parts. Its address is filled in once the objects are created. */
  readonly brief: ToolEntry & { readonly details: NonNullable<ToolEntry['details']> }
  readonly details: Json
}

const splits = new WeakMap<WholeTool, Split>()

function split(entry: WholeTool): Split {
  const known = splits.get(entry)
  if (known) return known
  const { definition, approved } = entry
  const isServer = mcpServerOf(entry.name) !== null
  const details = isServer ? (approved ?? {}) : definition
  const bytes = utf8(canonicalJson(details)).length
  const short = isServer ? { approved: briefPins(details) } : { definition: briefOf(definition) }
  const made = { brief: { ...entry, ...short, details: { sha256: '0'.repeat(64), bytes } }, details }
  splits.set(entry, made)
  return made
}

function briefPins(approved: Json): Json {
  const { tools } = approved
  return { ...approved, tools: Array.isArray(tools) ? tools.filter(isObject).map(briefOf) : [] }
}

/** The short parts of a tool, one line of its description, and the number of tokens of its definition. */
function briefOf(tool: Json): Json {
  const { description, input_schema, annotations } = tool
  const text = typeof description === 'string' ? description : ''
  return {
    ...pick(tool, KEPT),
    ...(isObject(annotations) && { annotations: pick(annotations, HINTS) }),
    description: cutText(text.trim().replace(/\s+/g, ' '), TOOL_LINE_MAX_CHARS),
    tokens: estimateTokens(JSON.stringify({ name: tool['tool'] ?? tool['name'], description, input_schema })),
  }
}

function pick(object: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}

export function isWhole(entry: ToolEntry): entry is WholeTool {
  return entry.details === undefined
}

/** The stored text of a tool that may be offered to a model, unparsed. */
export interface StoredText {
  readonly description: string
  readonly input_schema: Json
}

/** The stored texts of the tools that an entry defines, by the names that models use. */
export function storedTexts({
  name,
  definition,
  approved,
}: WholeTool): readonly (readonly [name: string, text: StoredText])[] {
  const tools = mcpServerOf(name) === null ? [definition] : approved?.['tools']
  return (Array.isArray(tools) ? tools.filter(isObject) : []).map((stored) => {
    const {
      tool = name,
      description = '',
      input_schema = {},
    } = stored as Partial<StoredText> & {
      readonly tool?: string
    }
    return [tool, { description, input_schema }]
  })
}

/** The complete entries whose long parts go to objects; none if all fit into the index. */
function splitOf(tools: readonly ToolEntry[]): ReadonlyMap<ToolEntry, Split> {
  const whole = tools.filter(isWhole).filter(({ name, approved }) => mcpServerOf(name) === null || approved)
  const made = new Map(whole.map((entry) => [entry, split(entry)]))
  const bytes = [...made.values()].reduce((sum, { brief }) => sum + brief.details.bytes, 0)
  return bytes > TOOLS_IN_INDEX_MAX_BYTES ? made : new Map()
}

/** The entries as the index stores them, with placeholders for the addresses. */
export function entriesInIndex(tools: readonly ToolEntry[]): readonly ToolEntry[] {
  const made = splitOf(tools)
  return tools.map((entry) => made.get(entry)?.brief ?? entry)
}

interface StoredTools {
  /** The entries as the index stores them. */
  readonly tools: readonly ToolEntry[]
  /** The texts of the objects, by their address. */
  readonly objects: ReadonlyMap<string, string>
}

export async function storedTools(tools: readonly ToolEntry[]): Promise<StoredTools> {
  const made = splitOf(tools)
  const groups = Map.groupBy(made, ([entry]) => groupOf(entry, made.size))
  const addresses = new Map<ToolEntry, string>()
  const objects = new Map<string, string>()
  for (const group of groups.values()) {
    const details = Object.fromEntries(group.map(([{ name }, part]) => [name, part.details]))
    const text = canonicalJson({ details, format: TOOL_DETAILS_FORMAT })
    const address = await sha256Hex(utf8(text))
    objects.set(address, text)
    for (const [entry] of group) addresses.set(entry, address)
  }
  const stored = tools.map((entry) => {
    const brief = made.get(entry)?.brief
    const sha256 = addresses.get(entry)
    return brief && sha256 !== undefined ? { ...brief, details: { ...brief.details, sha256 } } : entry
  })
  return { tools: stored, objects }
}

/** The format of such an object, which differs from those of indexes. */
const TOOL_DETAILS_FORMAT = 3
/** No index begins like this. */
export const DETAILS_BEGINNING = '{"details":'

/**
 * The object that stores an entry's details. Each server has its own. HTTP tools share objects, so that changing one
 * rewrites few others.
 */
function groupOf({ name, digest }: ToolEntry, count: number): string {
  if (mcpServerOf(name) !== null) return name
  return count > TOOLS_IN_ONE_OBJECT_MAX ? digest.slice(0, 1) : ''
}

/** The details in an object by entry name; null if it has another shape. */
export function detailsIn(text: string): ReadonlyMap<string, Json> | null {
  try {
    const json: unknown = JSON.parse(text)
    if (!isObject(json) || json['format'] !== TOOL_DETAILS_FORMAT || !isObject(json['details'])) return null
    // The cast is safe: the hash of these bytes was verified, and only storedTools() writes them.
    return new Map(Object.entries(json['details'] as Record<string, Json>))
  } catch {
    return null
  }
}

/**
 * Cached lists and entries, so that equal ones are the same objects, and data derived from them can be cached, too.
 */
const wholeLists = new WeakMap<readonly ToolEntry[], readonly WholeTool[]>()
const wholes = new WeakMap<ToolEntry, WholeTool>()

/**
 * The complete entries, in order. Reads each object at most once. The failure is that of `read`, or `catalog_broken`.
 */
export async function readWholeTools(
  tools: readonly ToolEntry[],
  read: (sha256: string) => Promise<Result<ReadonlyMap<string, Json>>>,
): Promise<Result<readonly WholeTool[]>> {
  const known = wholeLists.get(tools)
  if (known) return ok(known)
  const needed = tools.flatMap((entry) => (wholes.has(entry) ? [] : (entry.details?.sha256 ?? [])))
  const objects = new Map<string, ReadonlyMap<string, Json>>()
  for (const found of await Promise.all(
    [...new Set(needed)].map(async (sha256) => [sha256, await read(sha256)] as const),
  )) {
    const [sha256, object] = found
    if (!object.ok) return object
    objects.set(sha256, object.value)
  }
  const result: WholeTool[] = []
  for (const entry of tools) {
    const whole = isWhole(entry) ? entry : (wholes.get(entry) ?? joined(entry, objects))
    if (!whole) return fail('catalog_broken', `The definition of "${entry.name}" is damaged. Store it again.`)
    wholes.set(entry, whole)
    result.push(whole)
  }
  wholeLists.set(tools, result)
  return ok(result)
}

function joined(
  { details, ...entry }: ToolEntry,
  objects: ReadonlyMap<string, ReadonlyMap<string, Json>>,
): WholeTool | null {
  const long = details && objects.get(details.sha256)?.get(entry.name)
  if (!long) return null
  return mcpServerOf(entry.name) === null ? { ...entry, definition: long } : { ...entry, approved: long }
}
