// Promise: options for the next message still apply after a file was attached to it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { CHAT_COMMANDS } from '../../../scripts/chat/commands.ts'
import { ChatSession } from '../../../scripts/chat/session.ts'
import { ok } from '../../../src/lib/result.ts'

import type { ChatTerminal } from '../../../scripts/chat/turn.ts'
import type { Server } from '../../../scripts/lib/server.ts'

test('a file that creates the thread keeps the model selected for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-attach-'))
  const file = join(folder, 'notes.md')
  writeFileSync(file, '# Notes')
  const faults: string[] = []
  const client = { createThread: async () => ok('th_1'), upload: async () => ok([]) }
  const screen = { line: () => {}, fault: (text: string) => faults.push(text) }
  // The casts are safe: /attach uses only these parts.
  const server = { url: 'http://satchel.test', client } as unknown as Server
  const session = new ChatSession(server, { screen } as unknown as ChatTerminal, undefined, false)
  session.nextModel = 'claude-haiku-4-5'
  await CHAT_COMMANDS.find(({ name }) => name === 'attach')?.run(session, file)
  rmSync(folder, { recursive: true })
  expect([session.threadId, session.nextModel, faults]).toEqual(['th_1', 'claude-haiku-4-5', []])
  session.enter('th_2')
  expect(session.nextModel).toBeNull()
})
