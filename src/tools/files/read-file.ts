// read_file: one file of the tree as text, whole or a range of its lines.

import * as z from 'zod'
import { READ_FILE_TIMEOUT_MS } from './limits.ts'
import { builtin, errorResult } from '../record/builtin.ts'
import { readDataFile } from './data-file.ts'
import { findInTree } from './tree-location.ts'
import { readSkillFile } from './skill-file.ts'

export const READ_FILE = builtin({
  name: 'read_file',
  aliases: ['read'],
  group: 'files',
  label: { icon: 'file', now: 'Reading', past: 'Read', failed: 'Could not read', many: 'files' },
  always: true,
  description:
    'Reads a file as text: files of this conversation under /mnt/user-data (including PDF, DOCX and XLSX), or files of a skill. Read what a loaded skill tells you to read; give a range of lines for a long file.',
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .describe(
        'Full path, such as /mnt/user-data/uploads/<file> or /mnt/skills/public/<skill>/references/<file>.md.',
      ),
    start_line: z.int().min(1).optional().describe('First line to read, from 1.'),
    end_line: z.int().min(1).optional().describe('Last line to read, included.'),
  }),
  effect: 'read',
  timeoutMs: READ_FILE_TIMEOUT_MS,
  async run({ skills, files, documents }, wanted, call) {
    const location = await findInTree(wanted.path, { skills, files })
    if (!location.ok) return errorResult(location.error)
    switch (location.value.at) {
      case 'root':
        return errorResult(`${wanted.path} is a folder. Use ls to see what is in it.`)
      case 'data':
        return readDataFile(location.value.path, wanted, { files, documents }, call)
      case 'skills':
        return readSkillFile(wanted.path, location.value.target, wanted, skills)
    }
  },
})
