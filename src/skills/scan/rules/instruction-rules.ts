// Warnings about instructions and commands that are recognized by several signs close together: `[why, fix]`
// by rule ID.

export const INSTRUCTION_WARNINGS = {
  'declaration-secrecy': [
    'an honest skill has no reason to act without the knowledge of the user.',
    'Say what is sent and where, and let the user decide.',
  ],
  'declaration-secret-request': [
    'whoever has this secret can use everything it protects; no skill needs it.',
    'Remove it; use a public address, a token with few permissions, or a secret supplied by the caller.',
  ],
  'declaration-remote-orders': [
    'the agent does whatever the page says at that moment, and nobody has reviewed it.',
    'Put the instructions into the skill.',
  ],
  'declaration-standing-orders': [
    'the instructions outlive the skill, and an agent treats them as if its owner had written them.',
    'Keep the instructions in the skill; let the user edit these files.',
  ],
  'shell-persistence': [
    'it keeps running after the skill is removed, and nobody has checked what it starts.',
    'Remove it, or ship the program in the skill and let the user decide whether it starts automatically.',
  ],
  'shell-untrusted-index': [
    'whoever controls the address or the connection chooses the code that is installed.',
    'Use the public registry, or a private one that has a host name and uses https.',
  ],
  'shell-package-address': [
    'the package can change at any time: whoever controls the address or the branch chooses the code that is installed.',
    'Install a pinned version from the public registry, or name the full commit (git+https://…@<40 hex digits>).',
  ],
  'shell-install-hook': [
    'it runs as soon as the package is installed, before anyone can look at it.',
    'Tell the user in the skill which command to run, or remove the hook.',
  ],
  'shell-host-mount': [
    'anything that runs in the container can read and change the whole machine.',
    'Mount only the folder you need.',
  ],
  'shell-guard-off': [
    'it allows what the system or the agent would otherwise stop or ask about.',
    'Remove it; use signed programs, and leave the protection on.',
  ],
} as const
