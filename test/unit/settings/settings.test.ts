// Guards the settings of a workspace: every value has documented bounds, a merge patch sets, resets and keeps values as
// RFC 7396 says, and values stored by another release are neither trusted nor lost.

import { describe, expect, it, test } from 'vitest'
import { fieldErrors } from '../../../src/lib/field-errors.ts'
import {
  FILE_CEILING_BYTES,
  FILES_CEILING,
  THREAD_FILES_CEILING_BYTES,
} from '../../../src/limits/settings.ts'
import {
  validSettings,
  applyPatch,
  SettingsPatchSchema,
  withDefaults,
  type Sections,
  type SettingsPatch,
} from '../../../src/settings/settings.ts'
import { variableFaults } from '../../../src/env/variables.ts'

function faults(patch: unknown): readonly string[] {
  const parsed = SettingsPatchSchema.safeParse(patch)
  return parsed.success
    ? []
    : fieldErrors(parsed.error.issues).map(({ path, message }) => `${path}: ${message}`)
}

describe('a patch', () => {
  it.each<[unknown, string]>([
    [[], ': must be an object'],
    [null, ': must be an object'],
    [{ file: {} }, 'file: is not a field of this request'],
    [{ nope: null }, 'nope: is not a field of this request'],
    [{ files: 5 }, 'files: must be an object'],
    [{ files: [] }, 'files: must be an object'],
    [{ files: { max_file: 5 } }, 'files.max_file: is not a field of this request'],
    [{ files: { max_file: null } }, 'files.max_file: is not a field of this request'],
    ...[0, -1, 1.5, '5', true, {}, FILES_CEILING + 1, 2 ** 60].map((max_files): [unknown, string] => [
      { files: { max_files } },
      'files.max_files: must be a whole number from 1 to 10000, or null for the default',
    ]),
    [
      { files: { max_file_bytes: FILE_CEILING_BYTES + 1 } },
      'files.max_file_bytes: must be a whole number from 1 to 100000000, or null for the default',
    ],
    [
      { files: { max_thread_bytes: THREAD_FILES_CEILING_BYTES + 1 } },
      'files.max_thread_bytes: must be a whole number from 1 to 10737418240, or null for the default',
    ],
  ])('%j is refused by path, with its bounds', (patch, fault) => {
    expect(faults(patch)).toEqual([fault])
  })

  it('names everything that is wrong with it', () => {
    expect(faults({ files: { max_files: 0, max_file_bytes: 'x', more: 1 }, budgets: {} })).toHaveLength(4)
  })

  it.each([
    {},
    { files: {} },
    { files: null },
    { files: { max_files: 1, max_file_bytes: null } },
    { files: { max_files: FILES_CEILING, max_file_bytes: FILE_CEILING_BYTES } },
    { files: { max_thread_bytes: THREAD_FILES_CEILING_BYTES } },
  ])('%j is valid', (patch) => {
    expect(faults(patch)).toEqual([])
  })
})

test.each<[Sections, SettingsPatch, Sections | null, Sections | null]>([
  // stored settings, patch, stored settings afterwards, change
  [{}, {}, null, null],
  [{}, { files: {} }, null, null],
  [{}, { files: null }, null, null],
  [{}, { files: { max_files: null } }, null, null],
  [{}, { files: { max_files: 5 } }, { files: { max_files: 5 } }, { files: { max_files: 5 } }],
  [{ files: { max_files: 5 } }, { files: { max_files: 5 } }, null, null],
  [{ files: { max_files: 5 } }, { files: { max_files: null } }, {}, { files: { max_files: null } }],
  [{ files: { max_files: 5 } }, { files: null }, {}, { files: { max_files: null } }],
  [
    { files: { max_files: 5, max_file_bytes: 7 } },
    { files: { max_files: 5, max_file_bytes: null, max_thread_bytes: 9 } },
    { files: { max_files: 5, max_thread_bytes: 9 } },
    { files: { max_file_bytes: null, max_thread_bytes: 9 } },
  ],
  // Values that only another release knows.
  [
    { files: { newer: ['x'] }, later: { mode: 'ask' } },
    { files: { max_files: 5 } },
    { files: { newer: ['x'], max_files: 5 }, later: { mode: 'ask' } },
    { files: { max_files: 5 } },
  ],
])('%j with %j over it', (stored, patch, value, change) => {
  const before = structuredClone(stored)
  expect(applyPatch(stored, patch)).toEqual(value && change ? { value, change } : null)
  expect(stored).toEqual(before)
})

test('stored values count as far as this release knows and accepts them', () => {
  const stored = {
    files: { max_files: 5, max_file_bytes: FILE_CEILING_BYTES + 1, newer: 1 },
    later: { mode: 'ask' },
  }
  expect(validSettings(stored)).toEqual({ files: { max_files: 5 } })
  expect(validSettings({ files: { newer: 1 } })).toEqual({})
})

test('values that nobody set are the defaults', () => {
  const web = { allow_hosts: [], deny_hosts: ['*.example.net'], server_search: false }
  const tools = {
    allow: null,
    deny: [],
    untrusted_then_act: 'ask',
    link_bits: 40,
    calls_per_tool: 50,
    guardrail_url: null,
    guardrail_failure: 'deny',
  } as const
  const threads = {
    max_threads: 1,
    max_key_threads: 1,
    max_thread_search_bytes: 1,
    max_search_bytes: 1,
    compact_percent: 80,
  }
  const defaults = {
    files: { max_files: 1, max_file_bytes: 2, max_thread_bytes: 3, max_key_bytes: 4, max_workspace_bytes: 5 },
    threads,
    skills: { max_bytes: 1 },
    tools,
    web,
    runs: { lease_wait_s: 5 },
    retention: { run_days: 90, audit_days: 365, thread_days: null },
  }
  expect(withDefaults(defaults, {})).toEqual(defaults)
  expect(withDefaults(defaults, { files: { max_file_bytes: 9 } })).toEqual({
    files: { max_files: 1, max_file_bytes: 9, max_thread_bytes: 3, max_key_bytes: 4, max_workspace_bytes: 5 },
    threads,
    skills: { max_bytes: 1 },
    tools,
    web,
    runs: { lease_wait_s: 5 },
    retention: { run_days: 90, audit_days: 365, thread_days: null },
  })
})

test('the hosts of a list are names or patterns', () => {
  const takes = (host: string): boolean =>
    SettingsPatchSchema.safeParse({ web: { allow_hosts: [host] } }).success
  const good = ['example.com', '*.example.com', 'Example.COM.', 'bücher.example', '203.0.113.7', '[2600::1]']
  expect(good.filter((host) => !takes(host))).toEqual([])
  const bad = [
    '',
    '*',
    '*.',
    '**.a.b',
    'a b',
    'https://a.b',
    'a.b:1',
    'a.b/c',
    'x@a.b',
    '*.1.2.3.4',
    '2600::1',
  ]
  expect(bad.filter(takes)).toEqual([])
})

test.each([
  ['FILES_MAX', FILES_CEILING],
  ['FILE_MAX_BYTES', FILE_CEILING_BYTES],
  ['THREAD_FILES_MAX_BYTES', THREAD_FILES_CEILING_BYTES],
])('the variable %s may not exceed its setting', (name, most) => {
  expect(variableFaults({ [name]: String(most) })).toEqual([])
  for (const value of [String(most + 1), '0', 'many', '1.5'])
    expect(variableFaults({ [name]: value })).toEqual([`${name}: must be a whole number from 1 to ${most}`])
})
