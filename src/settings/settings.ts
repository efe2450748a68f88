// The settings of a workspace: their sections, their valid values, and how changes merge with the defaults. Pure.

import * as z from 'zod'
import { canonicalJson } from '../lib/canonical-json.ts'
import { hostPattern } from '../lib/hosts.ts'
import { TOOL_NAME_MAX_CHARS } from '../limits/requests.ts'
import {
  AUDIT_DAYS_MAX,
  AUDIT_DAYS_MIN,
  COMPACT_PERCENT_MAX,
  COMPACT_PERCENT_MIN,
  FILE_CEILING_BYTES,
  FILES_CEILING,
  LEASE_WAIT_CEILING_S,
  RUN_DAYS_MAX,
  RUN_DAYS_MIN,
  THREAD_DAYS_MAX,
  SEARCH_CEILING_BYTES,
  SKILLS_CEILING_BYTES,
  THREAD_FILES_CEILING_BYTES,
  THREAD_SEARCH_CEILING_BYTES,
  THREADS_CEILING,
  TOOL_LIST_ENTRIES_MAX,
  WORKSPACE_FILES_CEILING_BYTES,
} from '../limits/settings.ts'
import { HTTP_TOOL_URL_MAX_CHARS } from '../limits/tools.ts'
import {
  CALLS_PER_TOOL_CEILING,
  HOST_LIST_ENTRIES_MAX,
  HOST_PATTERN_MAX_CHARS,
  LINK_BITS_CEILING,
} from './limits.ts'

/** Limits on the files of threads. Lowering one deletes nothing. */
export interface FileSettings {
  readonly max_files: number
  readonly max_file_bytes: number
  /** Bytes of all files in a thread. */
  readonly max_thread_bytes: number
  /** Bytes of all files in the threads of one key or hook. */
  readonly max_key_bytes: number
  /** Bytes of all files in all threads. */
  readonly max_workspace_bytes: number
}

/** Limits on the threads of the workspace. Lowering one deletes nothing except the oldest search texts. */
export interface ThreadSettings {
  readonly max_threads: number
  /** Number of threads of one key or hook. */
  readonly max_key_threads: number
  /** Bytes of the search texts of one thread. */
  readonly max_thread_search_bytes: number
  /** Bytes of the search texts of all threads. */
  readonly max_search_bytes: number
  /** Percent of the model's window at which a thread continues in a new one. */
  readonly compact_percent: number
}

/** The limit on published skills. Lowering it deletes nothing. */
interface SkillSettings {
  /** Bytes of the files of all versions, of indexes, and of files to which no version refers yet. */
  readonly max_bytes: number
}

/**
 * Which hosts tools may contact. An entry is a name such as `example.com`, or `*.example.com` for all names below it.
 */
interface WebSettings {
  /** If empty, every public host is allowed. */
  readonly allow_hosts: readonly string[]
  /** Takes precedence over `allow_hosts`. */
  readonly deny_hosts: readonly string[]
  /** If true, new threads use the model's built-in web search, if it has one, instead of Satchel's. */
  readonly server_search: boolean
}

/** Which tools runs may call, and when a person must approve. */
interface ToolSettings {
  /** Names of tools or groups, or null for all of them. */
  readonly allow: readonly string[] | null
  /** Takes precedence over `allow`. */
  readonly deny: readonly string[]
  /**
   * Once a thread contains untrusted content: what happens to calls that have side effects or use an address that no
   * person provided.
   */
  readonly untrusted_then_act: 'ask' | 'allow' | 'deny'
  /** Bits that the choice of links may reveal without approval between two messages of a person. */
  readonly link_bits: number
  /** Number of calls of one tool in a run. */
  readonly calls_per_tool: number
  /** A URL that is called before each tool call, or null. */
  readonly guardrail_url: string | null
  /** The decision if the guardrail does not respond. */
  readonly guardrail_failure: 'deny' | 'allow'
}

/** How runs work. */
interface RunSettings {
  /** Seconds that a run waits for the Workspace object to say what it may spend. Without an answer, it ends. */
  readonly lease_wait_s: number
}

/** How long the workspace keeps what it records. */
interface RetentionSettings {
  /** Days that the rows of runs are kept after their end. Sums by day are kept forever. */
  readonly run_days: number
  /** Days that the audit is kept. */
  readonly audit_days: number
  /** Days after their last message or change after which threads are deleted; null for never. */
  readonly thread_days: number | null
}

export interface WorkspaceSettings {
  readonly files: FileSettings
  readonly threads: ThreadSettings
  readonly skills: SkillSettings
  readonly tools: ToolSettings
  readonly web: WebSettings
  readonly runs: RunSettings
  readonly retention: RetentionSettings
}

type SectionName = keyof WorkspaceSettings

/** The settings that admins have set. */
export type ChangedSettings = { readonly [S in SectionName]?: Partial<WorkspaceSettings[S]> }

/** A JSON merge patch (RFC 7396) of sections and names. The value of a name is replaced completely. */
export type SettingsPatch = {
  readonly [S in SectionName]?:
    | { readonly [N in keyof WorkspaceSettings[S]]?: WorkspaceSettings[S][N] | null }
    | null
}

/** The newest version of the settings. Its number is 0 if they were never changed. */
export interface StoredSettings {
  readonly version: number
  readonly changed: ChangedSettings
  readonly updated_at: string | null
  readonly updated_by: string | null
}

export interface SettingsVersion {
  readonly version: number
  readonly at: string
  readonly author: string
  /** The change. A value of null restores the default. */
  readonly change: SettingsPatch
}

type Section = Readonly<Record<string, unknown>>
/** The settings as stored. They may contain settings of another release, which this one does not know. */
export type Sections = Readonly<Record<string, Section>>
/** A JSON merge patch of them. */
export type SectionsPatch = Readonly<Record<string, Section | null | undefined>>

type Checks = { readonly [S in SectionName]: { readonly [N in keyof WorkspaceSettings[S]]: z.ZodType } }

function wholeNumber(max: number, min = 1): z.ZodType<number> {
  const error = `must be a whole number from ${min} to ${max}, or null for the default`
  return z.number(error).refine((value) => Number.isInteger(value) && value >= min && value <= max, error)
}

const hostList = z
  .array(
    z
      .string()
      .max(HOST_PATTERN_MAX_CHARS)
      .refine((text) => hostPattern(text) !== null, 'must be a host such as example.com or *.example.com'),
  )
  .max(HOST_LIST_ENTRIES_MAX)

const toolNameList = z.array(z.string().min(1).max(TOOL_NAME_MAX_CHARS)).max(TOOL_LIST_ENTRIES_MAX)

/** The valid values of each setting. To add a setting, add it here, to its interface and to the defaults in env.ts. */
export const CHECKS: Checks = {
  files: {
    max_files: wholeNumber(FILES_CEILING),
    max_file_bytes: wholeNumber(FILE_CEILING_BYTES),
    max_thread_bytes: wholeNumber(THREAD_FILES_CEILING_BYTES),
    max_key_bytes: wholeNumber(WORKSPACE_FILES_CEILING_BYTES),
    max_workspace_bytes: wholeNumber(WORKSPACE_FILES_CEILING_BYTES),
  },
  threads: {
    max_threads: wholeNumber(THREADS_CEILING),
    max_key_threads: wholeNumber(THREADS_CEILING),
    max_thread_search_bytes: wholeNumber(THREAD_SEARCH_CEILING_BYTES),
    max_search_bytes: wholeNumber(SEARCH_CEILING_BYTES),
    compact_percent: wholeNumber(COMPACT_PERCENT_MAX, COMPACT_PERCENT_MIN),
  },
  skills: { max_bytes: wholeNumber(SKILLS_CEILING_BYTES) },
  tools: {
    allow: toolNameList,
    deny: toolNameList,
    untrusted_then_act: z.enum(['ask', 'allow', 'deny']),
    link_bits: wholeNumber(LINK_BITS_CEILING, 0),
    calls_per_tool: wholeNumber(CALLS_PER_TOOL_CEILING),
    guardrail_url: z.url({ protocol: /^https?$/ }).max(HTTP_TOOL_URL_MAX_CHARS),
    guardrail_failure: z.enum(['deny', 'allow']),
  },
  web: { allow_hosts: hostList, deny_hosts: hostList, server_search: z.boolean() },
  runs: { lease_wait_s: wholeNumber(LEASE_WAIT_CEILING_S) },
  retention: {
    run_days: wholeNumber(RUN_DAYS_MAX, RUN_DAYS_MIN),
    audit_days: wholeNumber(AUDIT_DAYS_MAX, AUDIT_DAYS_MIN),
    thread_days: wholeNumber(THREAD_DAYS_MAX),
  },
}

function patchSchema(): z.ZodType<SettingsPatch> {
  const sections = Object.entries(CHECKS).map(([section, checks]) => {
    const names = Object.entries(checks).map(([name, check]) => [name, z.optional(z.nullable(check))])
    return [section, z.optional(z.nullable(z.strictObject(Object.fromEntries(names))))]
  })
  // The cast is safe: the schema is built from CHECKS, which has the names of the type, and JSON has no undefined.
  return z.strictObject(Object.fromEntries(sections)) as unknown as z.ZodType<SettingsPatch>
}

export const SettingsPatchSchema = patchSchema()

/** The stored settings that this release knows and whose values are valid. All other settings count as unset. */
export function validSettings(stored: Sections): ChangedSettings {
  const sections = Object.entries(CHECKS).flatMap(([section, checks]) => {
    const validEntries = Object.entries(checks).flatMap(([name, check]) => {
      const value = stored[section]?.[name]
      return check.safeParse(value).success ? [[name, value] as const] : []
    })
    return validEntries.length > 0 ? [[section, Object.fromEntries(validEntries)] as const] : []
  })
  // The cast is safe: each value was checked above.
  return Object.fromEntries(sections) as ChangedSettings
}

/** The effective settings of a workspace. */
export function withDefaults(defaults: WorkspaceSettings, changed: ChangedSettings): WorkspaceSettings {
  return {
    files: { ...defaults.files, ...changed.files },
    threads: { ...defaults.threads, ...changed.threads },
    skills: { ...defaults.skills, ...changed.skills },
    tools: { ...defaults.tools, ...changed.tools },
    web: { ...defaults.web, ...changed.web },
    runs: { ...defaults.runs, ...changed.runs },
    retention: { ...defaults.retention, ...changed.retention },
  }
}

/** The stored settings with a patch applied, and what it changed; null if it changes nothing. */
export function applyPatch(
  stored: Sections,
  patch: SectionsPatch,
): { readonly value: Sections; readonly change: Sections } | null {
  const value: Record<string, Section> = { ...stored }
  const change: Record<string, Section> = {}
  for (const [section, requested] of Object.entries(patch)) {
    const current = stored[section] ?? {}
    const differences = changedEntries(
      current,
      requested ?? Object.fromEntries(Object.keys(current).map((name) => [name, null])),
    )
    if (differences.length === 0) continue
    change[section] = Object.fromEntries(differences)
    const all = Object.entries({ ...current, ...change[section] }).filter(([, value]) => value !== null)
    if (all.length > 0) value[section] = Object.fromEntries(all)
    else delete value[section]
  }
  return Object.keys(change).length > 0 ? { value, change } : null
}

/** The entries of a section's patch that change something. */
function changedEntries(current: Section, requested: Section): readonly (readonly [string, unknown])[] {
  return Object.entries(requested).filter(([name, value]) =>
    value === null
      ? Object.hasOwn(current, name)
      : canonicalJson(value) !== canonicalJson(current[name] ?? null),
  )
}
