// A table of what the writing tools return in every situation that a model can cause, run against both the fake files
// and the real file tree.

import { expect } from 'vitest'
import type { ToolResult } from '../../src/agent/tool.ts'
import { FILE_EDIT_MAX_BYTES } from '../../src/tools/files/limits.ts'
import { png } from './images.ts'

/** Files, and the tools that work on them. */
export interface Stage {
  put(path: string, content: string | Uint8Array<ArrayBuffer>, known: boolean): Promise<void>
  /** From now on nothing more fits. */
  fill(): void
  /** Calls a tool and writes its changes as a run does. */
  call(tool: string, input: object): Promise<ToolResult>
  /** The paths, each with a summary of its content. */
  state(): readonly string[]
}

const TOOLS = ['write_file', 'append', 'str_replace', 'present_files', 'view_image'] as const
type Tool = (typeof TOOLS)[number]

/** A call of the tool on this path, as a model would make it. */
function callOn(tool: Tool, path: string): readonly [name: string, input: object] {
  switch (tool) {
    case 'write_file':
      return [tool, { path, content: 'new' }]
    case 'append':
      return ['write_file', { path, content: 'new', append: true }]
    case 'str_replace':
      return [tool, { path, old: 'old', new: 'new' }]
    case 'present_files':
      return [tool, { paths: [path] }]
    case 'view_image':
      return [tool, { path }]
  }
}

/** The expected error of each tool; null if it succeeds. */
type Reported = Readonly<Record<Tool, RegExp | null>>

function all(reported: RegExp, but: Partial<Reported> = {}): Reported {
  return {
    write_file: reported,
    append: reported,
    str_replace: reported,
    present_files: reported,
    view_image: reported,
    ...but,
  }
}

const NO_IMAGE = /does not have the extension of an image. Only PNG, JPEG, GIF and WebP files can be shown/
const ROOT = '/mnt/user-data'
/** A name with decomposed accents. */
const NFD = 're\u0301sume\u0301.md'
const FOUR_THOUSAND = `${ROOT}/outputs/${'a/'.repeat(2_000)}${'b'.repeat(75)}.md`

interface Situation {
  readonly given?: (stage: Stage) => Promise<void> | void
  readonly path: string
  readonly reported: Reported
}

export const SITUATIONS: Readonly<Record<string, Situation>> = {
  'a file that exists and was read': {
    given: (stage) => stage.put('outputs/a.md', 'old', true),
    path: `${ROOT}/outputs/a.md`,
    reported: {
      write_file: null,
      append: null,
      str_replace: null,
      present_files: null,
      view_image: NO_IMAGE,
    },
  },
  'a file that is missing': {
    given: (stage) => stage.put('outputs/other/plan.md', 'old', true),
    path: `${ROOT}/outputs/plan.md`,
    reported: all(/There is no file \/mnt\/user-data\/outputs\/plan.md. Did you mean .*other\/plan.md/, {
      write_file: null,
      append: null,
    }),
  },
  'a file named without the leading slash': {
    given: (stage) => stage.put('outputs/a.md', 'old', true),
    path: 'outputs/a.md',
    reported: {
      write_file: null,
      append: null,
      str_replace: null,
      present_files: null,
      view_image: NO_IMAGE,
    },
  },
  'a folder': {
    given: (stage) => stage.put('outputs/d/a.md', 'old', true),
    path: `${ROOT}/outputs/d`,
    reported: all(/is a folder/),
  },
  'one of the three fixed folders': {
    path: `${ROOT}/outputs`,
    reported: all(/is a folder. Add the name of a file in it/),
  },
  'a path that ends with a slash': {
    path: `${ROOT}/outputs/d/`,
    reported: all(/ends with a slash, so it names a folder. Specify a file/),
  },
  'a file below a file': {
    given: (stage) => stage.put('outputs/a', 'old', true),
    path: `${ROOT}/outputs/a/b.md`,
    reported: all(/outputs\/a is a file, not a folder/, {
      write_file: /outputs\/a is a file, so it cannot contain other files/,
      append: /outputs\/a is a file, so it cannot contain other files/,
    }),
  },
  'a binary file': {
    given: (stage) => stage.put('outputs/a.bin', new Uint8Array([111, 108, 100, 0, 255]), true),
    path: `${ROOT}/outputs/a.bin`,
    reported: {
      write_file: null,
      append: /is not a text file/,
      str_replace: /is not a text file/,
      present_files: null,
      view_image: NO_IMAGE,
    },
  },
  'a huge file': {
    given: (stage) => stage.put('outputs/a.md', new Uint8Array(FILE_EDIT_MAX_BYTES + 1).fill(97), true),
    path: `${ROOT}/outputs/a.md`,
    reported: {
      write_file: null,
      append: /only files up to 4194304 bytes can be edited. Write the new text to another file/,
      str_replace: /only files up to 4194304 bytes can be edited/,
      present_files: null,
      view_image: NO_IMAGE,
    },
  },
  'a file that somebody changed just now': {
    given: async (stage) => {
      await stage.put('outputs/a.md', 'mine', true)
      await stage.put('outputs/a.md', 'old', false)
    },
    path: `${ROOT}/outputs/a.md`,
    reported: {
      ...all(/exists, and you have not read its current content. Read it with read_file/),
      present_files: null,
      view_image: NO_IMAGE,
    },
  },
  'a path outside the tree': { path: '/etc/passwd', reported: all(/Files are under \/mnt\/user-data/) },
  'a bare name': {
    path: 'a.md',
    reported: all(/is not the full path of a file of this thread. Files are under/),
  },
  'a folder that is not one of the three': {
    path: `${ROOT}/secret/a.md`,
    reported: all(/There is no folder \/mnt\/user-data\/secret. Files are under/),
  },
  'a file of a skill': {
    path: '/mnt/skills/public/alpha/SKILL.md',
    reported: all(/\/mnt\/skills are read-only. Write to \/mnt\/user-data\/workspace/),
  },
  'a file of a skill by another path': { path: '//mnt/./skills/custom/a.md', reported: all(/are read-only/) },
  'a thread at its quota': {
    given: async (stage) => {
      await stage.put('outputs/a.md', 'old, longer than what is written in its place', true)
      stage.fill()
    },
    path: `${ROOT}/outputs/b.md`,
    reported: all(/There is no file/, {
      write_file: /Delete some of them first/,
      append: /Delete some of them first/,
    }),
  },
  'a path with ..': {
    path: `${ROOT}/outputs/../../skills/a.md`,
    reported: all(/contains "\.\.". Use a path without it/),
  },
  'a path that starts with ..': {
    path: '../outputs/a.md',
    reported: all(/is not the full path|climbs/),
  },
  'a path with NUL': {
    path: `${ROOT}/outputs/a\0.md`,
    reported: all(/invisible character, such as NUL/),
  },
  'a path with half a character': {
    path: `${ROOT}/outputs/\ud800.md`,
    reported: all(/is not well-formed Unicode text/),
  },
  'a path with hidden characters': {
    path: `${ROOT}/outputs/\u202Etxt.exe`,
    reported: all(/invisible character/),
  },
  'a path of 4,096 bytes': {
    path: FOUR_THOUSAND,
    reported: all(/bytes; the limit is 1024. Choose a shorter one/),
  },
  'a path with many characters': {
    given: (stage) => stage.put('outputs/日本/naïve 😀.md', 'old', true),
    path: `${ROOT}/outputs/日本/naïve 😀.md`,
    reported: {
      write_file: null,
      append: null,
      str_replace: null,
      present_files: null,
      view_image: NO_IMAGE,
    },
  },
  'a path that differs in letter case': {
    given: (stage) => stage.put('outputs/Plan.md', 'old', true),
    path: `${ROOT}/outputs/plan.md`,
    reported: all(/outputs\/Plan.md.*letter case/),
  },
  'the same path in another Unicode form': {
    given: (stage) => stage.put(`outputs/${NFD.normalize('NFC')}`, 'old', true),
    path: `${ROOT}/outputs/${NFD}`,
    reported: {
      write_file: null,
      append: null,
      str_replace: null,
      present_files: null,
      view_image: NO_IMAGE,
    },
  },
  'an image': {
    given: (stage) => stage.put('workspace/a.png', imageBytes(), true),
    path: `${ROOT}/workspace/a.png`,
    reported: {
      write_file: null,
      append: /is not a text file/,
      str_replace: /is not a text file/,
      present_files: /is not in outputs\/. Only files under .* can be shown/,
      view_image: null,
    },
  },
  'a truncated image': {
    given: (stage) => stage.put('uploads/a.png', imageBytes().slice(0, -8), true),
    path: `${ROOT}/uploads/a.png`,
    reported: {
      write_file: null,
      append: /is not a text file/,
      str_replace: /is not a text file/,
      present_files: /is not in outputs/,
      view_image: /cannot be shown: its data is not a complete image\/png/,
    },
  },
  'an image named as another type': {
    given: (stage) => stage.put('outputs/a.JPG', imageBytes(), true),
    path: `${ROOT}/outputs/a.JPG`,
    reported: {
      write_file: null,
      append: /is not a text file/,
      str_replace: /is not a text file/,
      present_files: null,
      view_image: /contains image\/png, but its extension stands for image\/jpeg/,
    },
  },
  'a text named as an image': {
    given: (stage) => stage.put('outputs/a.png', 'old', true),
    path: `${ROOT}/outputs/a.png`,
    reported: {
      write_file: null,
      append: null,
      str_replace: null,
      present_files: null,
      view_image: /is not an image: its first bytes/,
    },
  },
}

function imageBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(png().source.data), (char) => char.charCodeAt(0))
}

/** Runs a case with every tool, each on its own stage. */
export async function play(
  newStage: () => Promise<Stage>,
  { given, path, reported }: Situation,
): Promise<void> {
  for (const tool of TOOLS) {
    const stage = await newStage()
    await given?.(stage)
    const before = stage.state()
    const [name, input] = callOn(tool, path)
    const result = await stage.call(name, input)
    const words = JSON.stringify(result.content)
    const expected = reported[tool]
    expect(result.isError, `${tool}: ${words}`).toBe(expected !== null)
    if (expected !== null) {
      expect(result.content, tool).toMatch(expected)
      // A clear result is short, and nothing is half done.
      expect(words.length, tool).toBeLessThan(700)
      expect(stage.state(), tool).toEqual(before)
      expect(result.notes ?? [], tool).toEqual([])
    } else if (tool === 'present_files' || tool === 'view_image') expect(stage.state(), tool).toEqual(before)
    else expect(stage.state(), tool).not.toEqual(before)
  }
}
