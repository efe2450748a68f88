// read_file: returns the text of one file, or a range of its lines.

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
    'Reads a file as text: files of this conversation under /mnt/user-data (including PDF, DOCX and XLSX), or files of a skill. Read the files that a loaded skill tells you to read. For a long file, give a range of lines.',
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .describe(
        'Full path, such as /mnt/user-data/uploads/<file> or /mnt/skills/public/<skill>/references/<file>.md.',
      ),
    start_line: z.int().min(1).optional().describe('First line to read; lines are numbered from 1.'),
    end_line: z.int().min(1).optional().describe('Last line to read, inclusive.'),
  }),
  effect: 'read',
  timeoutMs: READ_FILE_TIMEOUT_MS,
  async run({ skills, files, documents }, input, call) {
    const location = await findInTree(input.path, { skills, files })
    if (!location.ok) return errorResult(location.error)
    switch (location.value.kind) {
      case 'root':
        return errorResult(`${input.path} is a folder. List its files with ls.`)
      case 'data':
        return readDataFile(location.value.path, input, { files, documents }, call)
      case 'skills':
        return readSkillFile(input.path, location.value.target, input, skills)
    }
  },
})
