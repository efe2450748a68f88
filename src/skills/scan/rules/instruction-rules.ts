// The warnings about instructions and commands, for signs close to each other: `[why, fix]` by id.

export const INSTRUCTION_WARNINGS = {
  'declaration-secrecy': [
    'what is done behind the back of a user has no honest reason to be.',
    'Say what is sent and where, and let the user decide.',
  ],
  'declaration-secret-request': [
    'whoever has such a key has what it opens; no skill needs it.',
    'Remove it; use a public address, a token with few rights, or a secret that the caller hands in.',
  ],
  'declaration-remote-orders': [
    'what an agent is to do is whatever the page says at that moment, and nobody checked it.',
    'Put the instructions into the skill.',
  ],
  'declaration-standing-orders': [
    'they outlive the skill, and an agent takes them for orders of its owner.',
    'Keep the instructions in the skill; let the user edit these files.',
  ],
  'shell-persistence': [
    'it goes on after the skill is gone, and what it starts was not checked.',
    'Remove it, or start a file of the skill, in the open.',
  ],
  'shell-untrusted-index': [
    'whoever sits on the way, or owns the address, chooses the code that is installed.',
    'Use the public registry, or a private one over https with a name.',
  ],
  'shell-package-address': [
    'no registry keeps what it was: whoever owns the address, or the branch, chooses the code that is installed.',
    'Use the public registry with a version, or name the whole commit (git+https://…@<40 hex digits>).',
  ],
  'shell-install-hook': [
    'it runs as soon as the package is installed, before anybody looks.',
    'Let the skill name the command, or leave it out.',
  ],
  'shell-host-mount': [
    'whatever runs in the container can read and change the whole machine.',
    'Mount the one folder that is needed.',
  ],
  'shell-guard-off': [
    'it lets a program run that the system would stop or ask about.',
    'Remove it; take programs that are signed.',
  ],
} as const
