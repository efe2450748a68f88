// Guards the command line of `jq`: its options, its files and input, and its exit codes.

import { describe, expect, it } from 'vitest'

import { jq } from '../../../../src/sandbox/commands/jq/jq.ts'
import { ran } from './in-memory.ts'

const FILES = {
  'a.json': '{"a":1,"b":[1,2]}\n',
  'two.json': '{"a":2}\n{"a":3}\n',
  'f.jq': '.a\n',
  't.txt': 'x\ny',
}

/** A null exit code: refused. */
const CASES: readonly (readonly [
  args: readonly string[],
  stdin: string,
  exitCode: number | null,
  stdout: string,
])[] = [
  [['.'], '{"a":1,"b":[1,2]}', 0, '{\n  "a": 1,\n  "b": [\n    1,\n    2\n  ]\n}\n'],
  [['-c', '.'], '{"a":[1]}', 0, '{"a":[1]}\n'],
  [['-r', '.'], '"x"', 0, 'x\n'],
  [['-j', '.'], '"x" "y"', 0, 'xy'],
  [['-a', '.'], '"é"', 0, '"\\u00e9"\n'],
  [['-S', '-c', '.'], '{"b":1,"a":2}', 0, '{"a":2,"b":1}\n'],
  [['-nc', '--arg', 'a', '1', '--argjson', 'b', '2', '[$a,$b]'], '', 0, '["1",2]\n'],
  [['-nc', '$ARGS', '--args', 'a', 'b'], '', 0, '{"positional":["a","b"],"named":{}}\n'],
  [['-nc', '$ARGS', '--jsonargs', '1', '{"a":2}'], '', 0, '{"positional":[1,{"a":2}],"named":{}}\n'],
  [['-nc', '--slurpfile', 'x', 'two.json', '$x'], '', 0, '[{"a":2},{"a":3}]\n'],
  [['-n', '--rawfile', 'x', 't.txt', '$x'], '', 0, '"x\\ny"\n'],
  [['--tab', '.'], '{"a":[1]}', 0, '{\n\t"a": [\n\t\t1\n\t]\n}\n'],
  [['--indent', '1', '.'], '{"a":[1]}', 0, '{\n "a": [\n  1\n ]\n}\n'],
  [['--stream', '-c', '.'], '{"a":[1]}', 0, '[["a",0],1]\n[["a",0]]\n[["a"]]\n'],
  [['-f', 'f.jq', 'a.json'], '', 0, '1\n'],
  [['.a', 'a.json', 'two.json'], '', 0, '1\n2\n3\n'],
  [['-s', '-c', '.', 'two.json'], '', 0, '[{"a":2},{"a":3}]\n'],
  [['-e', '.'], 'null', 1, 'null\n'],
  [['-e', '.'], '1', 0, '1\n'],
  [['.a', 'none.json', 'a.json'], '', 2, '1\n'],
  [['.['], '1', 3, ''],
  [['.a'], '[1]', 5, ''],
  [['-R', '.'], 'a\nb', 0, '"a"\n"b"\n'],
  [['-Rs', '.'], 'a\nb', 0, '"a\\nb"\n'],
  [['-r', '.[]|@csv'], '[["a\\"b",1,null,true]]', 0, '"a""b",1,,true\n'],
  [['-r', '@sh "echo \\(.)"'], `["a b","c'd"]`, 0, `echo 'a b' 'c'\\''d'\n`],
  [
    ['-r', '@base64, @uri, @html, @json'],
    '"<a&é>"',
    0,
    'PGEmw6k+\n%3Ca%26%C3%A9%3E\n&lt;a&amp;é&gt;\n"<a&é>"\n',
  ],
  [['-c', '[match("(?<x>a)(b)?";"g").offset]'], '"xabxa"', 0, '[1,4]\n'],
  [['-c', 'group_by(.a)'], '[{"a":2},{"a":1}]', 0, '[[{"a":1}],[{"a":2}]]\n'],
  [['-n', 'reduce inputs as $x (0;.+$x)'], '1 2 3', 0, '6\n'],
  [['-n', '"bye\\n"|halt_error(3)'], '', 3, ''],
  [
    ['-n', '[inputs|input_filename]', '-c', 'a.json', 'two.json'],
    '',
    0,
    '["a.json","two.json","two.json"]\n',
  ],
  [
    ['-c', 'fromdate, (fromdate|strftime("%a %d %b %Y %j")), (fromdate|gmtime)'],
    '"2024-02-29T12:34:56Z"',
    0,
    '1709210096\n"Thu 29 Feb 2024 060"\n[2024,1,29,12,34,56,4,59]\n',
  ],
  [['-c', 'strptime("%d %b %Y %H:%M")|mktime'], '"10 Mar 2020 05:06"', 0, '1583816760\n'],
  [['-nc', '$ENV|type, (now|type)'], '', 0, '"object"\n"number"\n'],
  [['--nope', '.'], '1', 2, ''],
  [['.'], '', 0, ''],
  [['-n', '--seq', '1'], '', 0, '\u001e1\n'],
  [['-n', '[limit(3;repeat(1))]', '-c'], '', 0, '[1,1,1]\n'],
  [['-c', '.[1:]'], '"añb"', 0, '"ñb"\n'],
  [['-n', '0|strftime("%Z")'], '', null, ''],
  [['-n', '[range(1e9)]'], '', null, ''],
  [['-n', 'reduce range(99999) as $i (0;[.])|tojson|length'], '', null, ''],
  [['-c', '.'], '[100000000000000000000000,1.10,1e3]', 0, '[100000000000000000000000,1.10,1E+3]\n'],
  [['.'], '{a', 5, ''],
  [['-n', '--raw-output0', '"a","b"'], '', 0, 'a\u0000b\u0000'],
  [['-n', 'have_decnum'], '', 0, 'true\n'],
  [['--version'], '', 0, 'jq-1.8.2\n'],
  [['-cn', '[1,2]|pick(.[1])'], '', 0, '[null,2]\n'],
]

describe('jq', () => {
  it.each(CASES)('handles %j with input %j like the real one', async (args, stdin, exitCode, stdout) => {
    const result = await ran(jq, 'jq', args, stdin, FILES)
    if (exitCode === null) expect(result.refused).toContain('is not supported here. Instead: ')
    else
      expect({ exitCode: result.exitCode, stdout: result.stdout, refused: result.refused }).toEqual({
        exitCode,
        stdout,
        refused: null,
      })
  })
})
