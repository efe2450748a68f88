// What a workspace can set: each section by its names, what a value may be, and how a change is laid over the defaults.
// Keeps nothing and asks nobody.

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

/** Files of threads. What is there already stays when a number is lowered. */
export interface FileSettings {
  readonly max_files: number
  readonly max_file_bytes: number
  /** All files of a thread together. */
  readonly max_thread_bytes: number
  /** All files of the threads that one key made, or one hook. */
  readonly max_key_bytes: number
  /** Those of all threads. */
  readonly max_workspace_bytes: number
}

/** Threads of the workspace. What is there already stays when a number is lowered; of search texts the oldest go. */
export interface ThreadSettings {
  readonly max_threads: number
  /** Of those, the ones that one key made, or one hook. */
  readonly max_key_threads: number
  /** Texts that one thread is found by. */
  readonly max_thread_search_bytes: number
  /** Those of all threads. */
  readonly max_search_bytes: number
}

/** Skills that are published. What is there already stays when the number is lowered. */
interface SkillSettings {
  /** Files of all versions, indexes, and files that no version names yet. */
  readonly max_bytes: number
}

/** Where requests may go that a model or a setting asks for. Entries: `example.com`, or `*.example.com` for all below it. */
interface WebSettings {
  /** Empty: every public host. */
  readonly allow_hosts: readonly string[]
  /** Holds against the list above. */
  readonly deny_hosts: readonly string[]
  /** New threads get the model's own web search in place of ours, where it has one. */
  readonly server_search: boolean
}

/** Which tools runs may call, and when a person is asked first. */
interface ToolSettings {
  /** Names of tools or groups; null: all. */
  readonly allow: readonly string[] | null
  /** Holds against the list above. */
  readonly deny: readonly string[]
  /** What acts, or goes to an address that nobody gave, once text from outside stands in a thread. */
  readonly untrusted_then_act: 'ask' | 'allow' | 'deny'
  /** What the choice of links may say unasked between two messages of a person, in bits. */
  readonly link_bits: number
  /** Asked before each call of a tool; null: nobody is. */
  readonly guardrail_url: string | null
  /** What a call gets where that does not answer. */
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

/** A JSON merge patch (RFC 7396) down to the names of a section; the value of a name is replaced whole. */
export type SettingsPatch = {
  readonly [S in Names]?:
    | { readonly [N in keyof WorkspaceSettings[S]]?: WorkspaceSettings[S][N] | null }
    | null
}

/** The newest version. Version 0: nobody ever changed anything. */
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
  /** What it changed; null: back to the default. */
  readonly change: SettingsPatch
}

type Section = Readonly<Record<string, unknown>>
/** As it is stored. It may hold what another release knows and this one does not. */
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

/** A setting is a line here and one in its interface; its default is a variable of the Worker. */
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
  // Made from CHECKS, whose names are those of the type; JSON holds no undefined.
  return z.strictObject(Object.fromEntries(sections)) as unknown as z.ZodType<SettingsPatch>
}

export const SettingsPatchSchema = patchSchema()

/** What counts of a stored value: what this release knows and still takes. The rest is as if nobody had set it. */
export function counting(stored: Sections): ChangedSettings {
  const sections = Object.entries(CHECKS).flatMap(([section, checks]) => {
    const set = Object.entries(checks).flatMap(([name, check]) => {
      const value = stored[section]?.[name]
      return check.safeParse(value).success ? [[name, value] as const] : []
    })
    return set.length > 0 ? [[section, Object.fromEntries(set)] as const] : []
  })
  // Each value was held against its check just above.
  return Object.fromEntries(sections) as ChangedSettings
}

/** What holds for a workspace. */
export function withDefaults(defaults: WorkspaceSettings, changed: ChangedSettings): WorkspaceSettings {
  return {
    files: { ...defaults.files, ...changed.files },
    threads: { ...defaults.threads, ...changed.threads },
    skills: { ...defaults.skills, ...changed.skills },
    tools: { ...defaults.tools, ...changed.tools },
    web: { ...defaults.web, ...changed.web },
  }
}

/** `stored` with the patch over it, and what that changes in it: null where nothing. */
export function patched(
  stored: Sections,
  patch: SettingsPatch,
): { readonly value: Sections; readonly change: Sections } | null {
  const value: Record<string, Section> = { ...stored }
  const change: Record<string, Section> = {}
  for (const [section, asked] of Object.entries(patch)) {
    const had = stored[section] ?? {}
    const differs = difference(had, asked ?? Object.fromEntries(Object.keys(had).map((name) => [name, null])))
    if (differs.length === 0) continue
    change[section] = Object.fromEntries(differs)
    const all = Object.entries({ ...had, ...change[section] }).filter(([, one]) => one !== null)
    if (all.length > 0) value[section] = Object.fromEntries(all)
    else delete value[section]
  }
  return Object.keys(change).length > 0 ? { value, change } : null
}

/** What of a section's patch is not so already. */
function difference(had: Section, asked: Section): readonly (readonly [string, unknown])[] {
  return Object.entries(asked).filter(([name, one]) =>
    one === null ? Object.hasOwn(had, name) : canonicalJson(one) !== canonicalJson(had[name] ?? null),
  )
}
