// Settings of a workspace: each section by name, the valid values, and how a change merges with the defaults. Stores nothing and
// calls nobody.

import * as z from 'zod'
import { canonicalJson } from '../lib/canonical-json.ts'
import { hostPattern } from '../lib/hosts.ts'
import {
  FILE_MAX_BYTES,
  FILES_CEILING,
  SEARCH_CEILING_BYTES,
  SKILLS_CEILING_BYTES,
  THREAD_FILES_CEILING_BYTES,
  THREAD_SEARCH_CEILING_BYTES,
  THREADS_CEILING,
  TOOL_LIST_MAX,
  TOOL_NAME_MAX_CHARS,
  WORKSPACE_FILES_CEILING_BYTES,
} from '../limits/settings.ts'
import { HTTP_TOOL_URL_MAX_CHARS } from '../limits/tools.ts'
import { HOST_LIST_MAX, HOST_PATTERN_MAX_CHARS, LINK_BITS_CEILING } from './limits.ts'

/** Files of threads. Lowering a number deletes nothing. */
export interface FileSettings {
  readonly max_files: number
  readonly max_file_bytes: number
  /** All files of a thread together. */
  readonly max_thread_bytes: number
  /** All files of the threads of one key or hook. */
  readonly max_key_bytes: number
  /** All files of all threads. */
  readonly max_workspace_bytes: number
}

/** Threads of the workspace. Lowering a number deletes nothing, except the oldest search texts. */
export interface ThreadSettings {
  readonly max_threads: number
  /** The threads of one key or hook. */
  readonly max_key_threads: number
  /** Search texts of one thread. */
  readonly max_thread_search_bytes: number
  /** Search texts of all threads. */
  readonly max_search_bytes: number
}

/** Published skills. Lowering the number deletes nothing. */
interface SkillSettings {
  /** Files of all versions, indexes, and files that no version references yet. */
  readonly max_bytes: number
}

/** Where requests of models and settings may go. Entries: `example.com`, or `*.example.com` for all names below it. */
interface WebSettings {
  /** Empty: every public host. */
  readonly allow_hosts: readonly string[]
  /** Takes precedence over the list above. */
  readonly deny_hosts: readonly string[]
  /** New threads use the model's own web search instead of ours, if it has one. */
  readonly server_search: boolean
}

/** Which tools runs may call, and when a person must approve. */
interface ToolSettings {
  /** Names of tools or groups; null: all. */
  readonly allow: readonly string[] | null
  /** Takes precedence over the list above. */
  readonly deny: readonly string[]
  /** Calls with side effects, or to an address that no person gave, once a thread has untrusted content. */
  readonly untrusted_then_act: 'ask' | 'allow' | 'deny'
  /** Bits that the choice of links may reveal without approval between two messages of a person. */
  readonly link_bits: number
  /** Called before each tool call; null if there is none. */
  readonly guardrail_url: string | null
  /** The decision if it does not answer. */
  readonly guardrail_failure: 'deny' | 'allow'
}

export interface WorkspaceSettings {
  readonly files: FileSettings
  readonly threads: ThreadSettings
  readonly skills: SkillSettings
  readonly tools: ToolSettings
  readonly web: WebSettings
}

type Names = keyof WorkspaceSettings

/** Only what an admin set. */
export type ChangedSettings = { readonly [S in Names]?: Partial<WorkspaceSettings[S]> }

/** A JSON merge patch (RFC 7396) down to the names of a section; a name's value is replaced completely. */
export type SettingsPatch = {
  readonly [S in Names]?:
    | { readonly [N in keyof WorkspaceSettings[S]]?: WorkspaceSettings[S][N] | null }
    | null
}

/** The newest version. Version 0: never changed. */
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
  /** The change; null: back to the default. */
  readonly change: SettingsPatch
}

type Section = Readonly<Record<string, unknown>>
/** As stored. May contain settings of another release that this one does not know. */
export type Sections = Readonly<Record<string, Section>>

type Checks = { readonly [S in Names]: { readonly [N in keyof WorkspaceSettings[S]]: z.ZodType } }

function whole(max: number, min = 1): z.ZodType<number> {
  const error = `must be a whole number from ${min} to ${max}, or null for the default`
  return z.number(error).refine((value) => Number.isInteger(value) && value >= min && value <= max, error)
}

const hosts = z
  .array(
    z
      .string()
      .max(HOST_PATTERN_MAX_CHARS)
      .refine((text) => hostPattern(text) !== null, 'must be a host like example.com, or *.example.com'),
  )
  .max(HOST_LIST_MAX)

const toolNames = z.array(z.string().min(1).max(TOOL_NAME_MAX_CHARS)).max(TOOL_LIST_MAX)

/** To add a setting, add a line here and in its interface. Its default is a variable of the Worker. */
export const CHECKS: Checks = {
  files: {
    max_files: whole(FILES_CEILING),
    max_file_bytes: whole(FILE_MAX_BYTES),
    max_thread_bytes: whole(THREAD_FILES_CEILING_BYTES),
    max_key_bytes: whole(WORKSPACE_FILES_CEILING_BYTES),
    max_workspace_bytes: whole(WORKSPACE_FILES_CEILING_BYTES),
  },
  threads: {
    max_threads: whole(THREADS_CEILING),
    max_key_threads: whole(THREADS_CEILING),
    max_thread_search_bytes: whole(THREAD_SEARCH_CEILING_BYTES),
    max_search_bytes: whole(SEARCH_CEILING_BYTES),
  },
  skills: { max_bytes: whole(SKILLS_CEILING_BYTES) },
  tools: {
    allow: toolNames,
    deny: toolNames,
    untrusted_then_act: z.enum(['ask', 'allow', 'deny']),
    link_bits: whole(LINK_BITS_CEILING, 0),
    guardrail_url: z.url({ protocol: /^https?$/ }).max(HTTP_TOOL_URL_MAX_CHARS),
    guardrail_failure: z.enum(['deny', 'allow']),
  },
  web: { allow_hosts: hosts, deny_hosts: hosts, server_search: z.boolean() },
}

function patchSchema(): z.ZodType<SettingsPatch> {
  const sections = Object.entries(CHECKS).map(([section, checks]) => {
    const names = Object.entries(checks).map(([name, check]) => [name, z.optional(z.nullable(check))])
    return [section, z.optional(z.nullable(z.strictObject(Object.fromEntries(names))))]
  })
  // Built from CHECKS, whose names are those of the type; JSON has no undefined.
  return z.strictObject(Object.fromEntries(sections)) as unknown as z.ZodType<SettingsPatch>
}

export const SettingsPatchSchema = patchSchema()

/** The stored values that this release knows and still accepts. Others count as unset. */
export function counting(stored: Sections): ChangedSettings {
  const sections = Object.entries(CHECKS).flatMap(([section, checks]) => {
    const set = Object.entries(checks).flatMap(([name, check]) => {
      const value = stored[section]?.[name]
      return check.safeParse(value).success ? [[name, value] as const] : []
    })
    return set.length > 0 ? [[section, Object.fromEntries(set)] as const] : []
  })
  // each value was checked above
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
  }
}

/** `stored` with the patch applied, and the effective changes; null if there are none. */
export function patched(
  stored: Sections,
  patch: SettingsPatch,
): { readonly value: Sections; readonly change: Sections } | null {
  const value: Record<string, Section> = { ...stored }
  const change: Record<string, Section> = {}
  for (const [section, wanted] of Object.entries(patch)) {
    const had = stored[section] ?? {}
    const differs = difference(
      had,
      wanted ?? Object.fromEntries(Object.keys(had).map((name) => [name, null])),
    )
    if (differs.length === 0) continue
    change[section] = Object.fromEntries(differs)
    const all = Object.entries({ ...had, ...change[section] }).filter(([, one]) => one !== null)
    if (all.length > 0) value[section] = Object.fromEntries(all)
    else delete value[section]
  }
  return Object.keys(change).length > 0 ? { value, change } : null
}

/** The entries of a section's patch that change something. */
function difference(had: Section, wanted: Section): readonly (readonly [string, unknown])[] {
  return Object.entries(wanted).filter(([name, one]) =>
    one === null ? Object.hasOwn(had, name) : canonicalJson(one) !== canonicalJson(had[name] ?? null),
  )
}
