// Edits of just-bash's parser: `a=b` is an assignment only before a command; elsewhere it is an ordinary word.

import type { Edit } from './bash-edit.ts'

export const ASSIGNMENTS: readonly Edit[] = [
  // In lists of `for`, arrays, patterns of `case`, as an operand or the target of a redirection.
  {
    find: /(\w+ === \w+\.BANG \|\| (\w+) === (\w+)\.ASSIGNMENT_WORD) && \(\w+ & \w+\.Regex\) !== 0;/g,
    times: 1,
    put: '$1;',
  },
  // Braces and brackets after a redirection, where `{a,b}` does not expand, and in an array, too.
  {
    find: /(\w+)\.isWord\(\) \|\| (\1\.error\("Expected redirection target"\);\s+let \w+ = \1\.parseWord)\(\)/g,
    times: 1,
    put: '__anyWord($1)||$2NoBraceExpansion()',
  },
  {
    find: /(\w+)\.isWord\(\) \? (\w+\.push\(\1\.parseWord\(\)\) : \w+\.has\(\1\.current\(\)\.type\) \? \1\.error\()/g,
    times: 1,
    put: '__anyWord($1)?$2',
  },
  // A here-string within `$(…)` is no here-document.
  {
    find: /\w+ === "<" && (\w+)\[(\w+) \+ 1\] === "<" && \1\[\2 \+ 2\] !== "<"/g,
    times: 2,
    put: '$&&&$1[$2-1]!=="<"',
  },
]
