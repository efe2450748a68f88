// Guards "no argument of a Node script gets past the quota or changes what other jobs share": the calls refuse what is no
// size, no position and no time, and everything that changes a package.

import { expect, test } from 'vitest'

import { nodeRun, PACKAGE_FILE, WORK, type CalledRun } from './node-calls.ts'

const CREATE = 0o1102
const TRUNCATE = 0o1000

async function opened({ call }: CalledRun): Promise<number> {
  return Number(await call('open', `${WORK}/a`, CREATE, 0o666))
}

test.each([-1, -2_000_000_000, Number.NaN, 0.5, Infinity, 2 ** 53, '5', null, undefined])(
  'a file never has the length %s',
  async (length) => {
    const job = nodeRun()
    const fd = await opened(job)
    await job.call('put', fd, new Uint8Array(900), null)
    expect(await job.call('truncate', fd, length)).toBe('EINVAL')
    expect(job.run.tree.quota.bytes).toBe(900)
    expect(await job.call('put', fd, new Uint8Array(200), null)).toBe('ENOSPC')
  },
)

test.each([-5, Number.NaN, 1.5, 2 ** 53])(
  'the position %s means the current one, as in Node, and the quota holds',
  async (position) => {
    const job = nodeRun()
    const fd = await opened(job)
    expect(await job.call('put', fd, new Uint8Array(600).fill(1), position)).toBe(600)
    expect(await job.call('put', fd, new Uint8Array(600), position)).toBe('ENOSPC')
    expect(await job.call('read', fd, 9, 595)).toEqual(new Uint8Array(5).fill(1))
    expect(await job.call('read', fd, 9, position)).toEqual(new Uint8Array(0))
    expect(job.run.tree.quota.bytes).toBe(600)
  },
)

test.each([-1, Number.NaN, 1.5, 'x', null])('a read of %s bytes is refused', async (length) => {
  const job = nodeRun()
  expect(await job.call('read', await opened(job), length, 0)).toBe('EINVAL')
})

test.each([Number.NaN, 1e300, -Infinity, 'x'])('no file has the time %s', async (ms) => {
  const job = nodeRun()
  const fd = await opened(job)
  expect(await job.call('ftouch', fd, ms)).toBe('EINVAL')
  expect(await job.call('touch', `${WORK}/a`, ms)).toBe('EINVAL')
})

test.each([Number.NaN, -1, 2 ** 40, 'x', null])(
  'no file has the mode %s, and none is opened with it',
  async (mode) => {
    const job = nodeRun()
    const fd = await opened(job)
    expect(await job.call('fchmod', fd, mode)).toBe('EINVAL')
    expect(await job.call('chmod', `${WORK}/a`, mode)).toBe('EINVAL')
    expect(await job.call('mkdir', `${WORK}/b`, 0, mode)).toBe('EINVAL')
    expect(await job.call('open', `${WORK}/b`, mode, 0o666)).toBe('EINVAL')
    expect(await job.call('open', `${WORK}/b`, CREATE, mode)).toBe('EINVAL')
  },
)

test('a descriptor that is no number is not open', async () => {
  const job = nodeRun()
  for (const operation of ['fstat', 'ftouch', 'fchmod', 'close', 'read', 'put', 'truncate'])
    for (const fd of ['0', Number.NaN, 0.5, -1, 5_000, null, undefined])
      expect(await job.call(operation, fd, 0, 0)).toBe('EBADF')
})

test('nothing that a script does changes a package, which the next job sees', async () => {
  const job = nodeRun()
  const folder = '/node_modules/one'
  const facts = async (): Promise<readonly unknown[]> =>
    Promise.all([PACKAGE_FILE, folder].map(async (path) => job.call('stat', path)))
  const before = await facts()
  for (const path of [PACKAGE_FILE, folder]) {
    const fd = Number(await job.call('open', path, 0, 0o666))
    expect(await job.call('ftouch', fd, 1_000)).toBe('EROFS')
    expect(await job.call('touch', path, 1_000)).toBe('EROFS')
    expect(await job.call('fchmod', fd, 0o777)).toBe('EROFS')
    expect(await job.call('chmod', path, 0o777)).toBe('EROFS')
    expect(await job.call('rename', path, `${WORK}/b`)).toBe('EROFS')
  }
  const fd = Number(await job.call('open', PACKAGE_FILE, 0, 0o666))
  expect(await job.call('open', PACKAGE_FILE, TRUNCATE, 0o666)).toBe('EROFS')
  expect(await job.call('open', PACKAGE_FILE, CREATE, 0o666)).toBe('EROFS')
  expect(await job.call('put', fd, new Uint8Array(1), 0)).toBe('EBADF')
  expect(await job.call('truncate', fd, 0)).toBe('EINVAL')
  expect(await job.call('unlink', PACKAGE_FILE)).toBe('EROFS')
  expect(await job.call('rmdir', folder)).toBe('EROFS')
  expect(await job.call('open', `${folder}/new`, CREATE, 0o666)).toBe('EROFS')
  expect(await job.call('mkdir', `${folder}/new`, 0, 0o777)).toBe('EROFS')
  await opened(job)
  expect(await job.call('rename', `${WORK}/a`, PACKAGE_FILE)).toBe('EROFS')
  expect(await facts()).toEqual(before)
})
