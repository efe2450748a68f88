// Promise: the command that a deployment suggests for the next one deploys the same skills to the same address.

import { expect, test } from 'vitest'

import { doneLines, repeatedArgs } from '../../../../scripts/deploy/messages.ts'

test('the suggested command repeats the deployment, its address and its folders of skills', () => {
  expect(repeatedArgs({ env: null, skills: [], url: null })).toBe('')
  const options = { env: 'staging', skills: ['../more', 'my skills'], url: 'https://chat.example.com' }
  const args = " -- --env staging --skills ../more --skills 'my skills' --url https://chat.example.com"
  expect(repeatedArgs(options)).toBe(args)
  const done = { address: options.url, hasSandbox: false, hasModel: false, accountId: 'a', isFirst: true }
  const lines = doneLines({ ...done, repeatedArgs: args }).filter((line) => line.includes('npm run deploy'))
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line).toContain(`npm run deploy${args}`)
})
