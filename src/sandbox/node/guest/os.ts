// node:os: the machine as the sandbox shows it.

import { process } from './process.ts'

const pairs = (text: string): Record<string, number> =>
  Object.fromEntries(
    text.split(' ').map((entry): [string, number] => {
      const [name = '', value] = entry.split('=')
      return [name, Number(value)]
    }),
  )

const SIGNALS = pairs(
  'SIGHUP=1 SIGINT=2 SIGQUIT=3 SIGILL=4 SIGTRAP=5 SIGABRT=6 SIGIOT=6 SIGBUS=7 SIGFPE=8 SIGKILL=9 SIGUSR1=10 SIGSEGV=11 SIGUSR2=12 SIGPIPE=13 SIGALRM=14 SIGTERM=15 SIGCHLD=17 SIGSTKFLT=16 SIGCONT=18 SIGSTOP=19 SIGTSTP=20 SIGTTIN=21 SIGTTOU=22 SIGURG=23 SIGXCPU=24 SIGXFSZ=25 SIGVTALRM=26 SIGPROF=27 SIGWINCH=28 SIGIO=29 SIGPOLL=29 SIGPWR=30 SIGSYS=31',
)
const ERRNO = pairs(
  'E2BIG=7 EACCES=13 EADDRINUSE=98 EAGAIN=11 EBADF=9 EBUSY=16 ECONNREFUSED=111 ECONNRESET=104 EEXIST=17 EFBIG=27 EINTR=4 EINVAL=22 EIO=5 EISDIR=21 ELOOP=40 EMFILE=24 EMLINK=31 ENAMETOOLONG=36 ENFILE=23 ENODEV=19 ENOENT=2 ENOEXEC=8 ENOMEM=12 ENOSPC=28 ENOSYS=38 ENOTDIR=20 ENOTEMPTY=39 ENOTSUP=95 ENOTTY=25 ENXIO=6 EPERM=1 EPIPE=32 ERANGE=34 EROFS=30 ESPIPE=29 ESRCH=3 ETIMEDOUT=110 EXDEV=18',
)

export const os = {
  EOL: '\n',
  arch: () => 'wasm32',
  availableParallelism: () => 1,
  constants: { signals: SIGNALS, errno: ERRNO, priority: { PRIORITY_NORMAL: 0 } },
  cpus: () => [{ model: 'WebAssembly', speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }],
  devNull: '/dev/null',
  endianness: () => 'LE',
  freemem: () => 33_554_432,
  getPriority: () => 0,
  homedir: () => process.env['HOME'] ?? '/tmp',
  hostname: () => 'sandbox',
  loadavg: () => [0, 0, 0],
  machine: () => 'wasm32',
  networkInterfaces: () => ({}),
  platform: () => 'linux',
  release: () => '0',
  tmpdir: () => '/tmp',
  totalmem: () => 67_108_864,
  type: () => 'Linux',
  uptime: () => 0,
  userInfo: () => ({
    uid: process.getuid(),
    gid: process.getgid(),
    username: 'user',
    homedir: process.env['HOME'] ?? '/tmp',
    shell: '/bin/bash',
  }),
  version: () => 'QuickJS on WebAssembly',
}
