// Patches and the results of GNU patch 2.7.6: arguments, files, standard input, exit code, output, and the final files
// (null: removed).

const F = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n'

export const PATCHES: Readonly<Record<string, string>> = {
  u: '--- f\n+++ g\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+four\n 5\n 6\n@@ -14,5 +14,5 @@\n 14\n 15\n-16\n+sixteen\n 17\n 18\n',
  c: '*** f\n--- g\n***************\n*** 2,6 ****\n  2\n  3\n! 4\n  5\n  6\n--- 2,6 ----\n  2\n  3\n! four\n  5\n  6\n***************\n*** 14,18 ****\n  14\n  15\n! 16\n  17\n  18\n--- 14,18 ----\n  14\n  15\n! sixteen\n  17\n  18\n',
  n: '4c4\n< 4\n---\n> four\n16c16\n< 16\n---\n> sixteen\n',
}

export interface PatchCase {
  readonly args: string
  readonly files: Readonly<Record<string, string>>
  readonly stdin: string
  readonly exitCode: number
  readonly stdout: string
  readonly after: Readonly<Record<string, string | null>>
}

export const PATCH_CASES: readonly PatchCase[] = [
  {
    args: '-i u',
    files: { f: F },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file f\n',
    after: { f: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
  },
  {
    args: 'f c',
    files: { f: F },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file f\n',
    after: { f: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
  },
  {
    args: 'f n',
    files: { f: F },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file f\n',
    after: { f: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
  },
  {
    args: 'f -i u --dry-run',
    files: { f: F },
    stdin: '',
    exitCode: 0,
    stdout: 'checking file f\n',
    after: {},
  },
  {
    args: '-s -i u',
    files: { f: F },
    stdin: '',
    exitCode: 0,
    stdout: '',
    after: { f: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
  },
  {
    args: '-b -i u',
    files: { f: F },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file f\n',
    after: {
      'f.orig': F,
      f: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
    },
  },
  {
    args: '-o out -i u',
    files: { f: F },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file out (read from f)\n',
    after: { out: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
  },
  {
    args: '-R f u',
    files: { f: F },
    stdin: '',
    exitCode: 1,
    stdout:
      'patching file f\nUnreversed patch detected!  Ignore -R? [n] \nApply anyway? [n] \nSkipping patch.\n2 out of 2 hunks ignored -- saving rejects to file f.rej\n',
    after: {
      'f.rej':
        '--- g\n+++ f\n@@ -2,5 +2,5 @@\n 2\n 3\n-four\n+4\n 5\n 6\n@@ -14,5 +14,5 @@\n 14\n 15\n-sixteen\n+16\n 17\n 18\n',
    },
  },
  {
    args: '-N -R f u',
    files: { f: F },
    stdin: '',
    exitCode: 1,
    stdout:
      'patching file f\nUnreversed patch detected!  Skipping patch.\n2 out of 2 hunks ignored -- saving rejects to file f.rej\n',
    after: {
      'f.rej':
        '--- g\n+++ f\n@@ -2,5 +2,5 @@\n 2\n 3\n-four\n+4\n 5\n 6\n@@ -14,5 +14,5 @@\n 14\n 15\n-sixteen\n+16\n 17\n 18\n',
    },
  },
  {
    args: '-t -R f u',
    files: { f: F },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file f\nUnreversed patch detected!  Ignoring -R.\n',
    after: {
      'f.orig': F,
      f: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
    },
  },
  {
    args: '-f -R f u',
    files: { f: F },
    stdin: '',
    exitCode: 1,
    stdout:
      'patching file f\nHunk #1 FAILED at 2.\nHunk #2 FAILED at 14.\n2 out of 2 hunks FAILED -- saving rejects to file f.rej\n',
    after: {
      'f.orig': F,
      'f.rej':
        '--- g\n+++ f\n@@ -2,5 +2,5 @@\n 2\n 3\n-four\n+4\n 5\n 6\n@@ -14,5 +14,5 @@\n 14\n 15\n-sixteen\n+16\n 17\n 18\n',
    },
  },
  {
    args: '-R -i u',
    files: { f: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file f\n',
    after: { f: F },
  },
  {
    args: '--dry-run -R f c',
    files: { f: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 0,
    stdout: 'checking file f\n',
    after: {},
  },
  {
    args: '-N -i u',
    files: { f: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 1,
    stdout:
      'patching file f\nReversed (or previously applied) patch detected!  Skipping patch.\n2 out of 2 hunks ignored -- saving rejects to file f.rej\n',
    after: {
      'f.rej':
        '--- f\n+++ g\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+four\n 5\n 6\n@@ -14,5 +14,5 @@\n 14\n 15\n-16\n+sixteen\n 17\n 18\n',
    },
  },
  {
    args: '-i u',
    files: { f: '1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 1,
    stdout:
      'patching file f\nReversed (or previously applied) patch detected!  Assume -R? [n] \nApply anyway? [n] \nSkipping patch.\n2 out of 2 hunks ignored -- saving rejects to file f.rej\n',
    after: {
      'f.rej':
        '--- f\n+++ g\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+four\n 5\n 6\n@@ -14,5 +14,5 @@\n 14\n 15\n-16\n+sixteen\n 17\n 18\n',
    },
  },
  {
    args: '-i u',
    files: { f: 'a\nb\nc\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 0,
    stdout:
      'patching file f\nHunk #1 succeeded at 5 (offset 3 lines).\nHunk #2 succeeded at 17 (offset 3 lines).\n',
    after: {
      'f.orig': 'a\nb\nc\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n',
      f: 'a\nb\nc\n1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
    },
  },
  {
    args: 'f c',
    files: { f: 'a\nb\nc\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 0,
    stdout:
      'patching file f\nHunk #1 succeeded at 5 (offset 3 lines).\nHunk #2 succeeded at 17 (offset 3 lines).\n',
    after: {
      'f.orig': 'a\nb\nc\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n',
      f: 'a\nb\nc\n1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
    },
  },
  {
    args: 'f n',
    files: { f: 'a\nb\nc\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 0,
    stdout:
      'patching file f\nHunk #1 succeeded at 7 (offset 3 lines).\nHunk #2 succeeded at 19 (offset 3 lines).\n',
    after: {
      'f.orig': 'a\nb\nc\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n',
      f: 'a\nb\nc\n1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
    },
  },
  {
    args: '-r rej --no-backup-if-mismatch -F0 -i u',
    files: { f: 'a\nb\nc\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 0,
    stdout:
      'patching file f\nHunk #1 succeeded at 5 (offset 3 lines).\nHunk #2 succeeded at 17 (offset 3 lines).\n',
    after: { f: 'a\nb\nc\n1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
  },
  {
    args: '-i u',
    files: { f: '1\nZ\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file f\nHunk #1 succeeded at 2 with fuzz 1.\n',
    after: {
      'f.orig': '1\nZ\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n',
      f: '1\nZ\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
    },
  },
  {
    args: 'f c',
    files: { f: '1\nZ\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file f\nHunk #1 succeeded at 2 with fuzz 1.\n',
    after: {
      'f.orig': '1\nZ\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n',
      f: '1\nZ\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
    },
  },
  {
    args: 'f n',
    files: { f: '1\nZ\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file f\n',
    after: { f: '1\nZ\n3\nfour\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n' },
  },
  {
    args: '-r rej --no-backup-if-mismatch -F0 -i u',
    files: { f: '1\nZ\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 1,
    stdout: 'patching file f\nHunk #1 FAILED at 2.\n1 out of 2 hunks FAILED -- saving rejects to file rej\n',
    after: {
      f: '1\nZ\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
      rej: '--- f\n+++ g\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+four\n 5\n 6\n',
    },
  },
  {
    args: '-i u',
    files: { f: '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 1,
    stdout:
      'patching file f\nHunk #1 FAILED at 2.\n1 out of 2 hunks FAILED -- saving rejects to file f.rej\n',
    after: {
      'f.orig': '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n',
      f: '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
      'f.rej': '--- f\n+++ g\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+four\n 5\n 6\n',
    },
  },
  {
    args: 'f c',
    files: { f: '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 1,
    stdout:
      'patching file f\nHunk #1 FAILED at 2.\n1 out of 2 hunks FAILED -- saving rejects to file f.rej\n',
    after: {
      'f.orig': '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n',
      f: '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
      'f.rej':
        '*** f\n--- g\n***************\n*** 2,6 ****\n  2\n  3\n! 4\n  5\n  6\n--- 2,6 ----\n  2\n  3\n! four\n  5\n  6\n',
    },
  },
  {
    args: 'f n',
    files: { f: '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 1,
    stdout:
      'patching file f\nHunk #1 FAILED at 4.\n1 out of 2 hunks FAILED -- saving rejects to file f.rej\n',
    after: {
      'f.orig': '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n',
      f: '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
      'f.rej': '*** /dev/null\n--- /dev/null\n***************\n*** 4\n- 4\n--- 4 -----\n+ four\n',
    },
  },
  {
    args: '-r rej --no-backup-if-mismatch -F0 -i u',
    files: { f: '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n' },
    stdin: '',
    exitCode: 1,
    stdout: 'patching file f\nHunk #1 FAILED at 2.\n1 out of 2 hunks FAILED -- saving rejects to file rej\n',
    after: {
      f: '1\n2\n3\nother\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nsixteen\n17\n18\n19\n20\n',
      rej: '--- f\n+++ g\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+four\n 5\n 6\n',
    },
  },
  {
    args: '-l -i u',
    files: {
      f: '1 \n2 \n3 \n4 \n5 \n6 \n7 \n8 \n9 \n10 \n11 \n12 \n13 \n14 \n15 \n16 \n17 \n18 \n19 \n20 \n',
    },
    stdin: '',
    exitCode: 0,
    stdout: 'patching file f\n',
    after: {
      f: '1 \n2 \n3 \nfour\n5 \n6 \n7 \n8 \n9 \n10 \n11 \n12 \n13 \n14 \n15 \nsixteen\n17 \n18 \n19 \n20 \n',
    },
  },
  {
    args: '-i u',
    files: {
      f: '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n10\r\n11\r\n12\r\n13\r\n14\r\n15\r\n16\r\n17\r\n18\r\n19\r\n20\r\n',
    },
    stdin: '',
    exitCode: 1,
    stdout:
      'patching file f\nHunk #1 FAILED at 2 (different line endings).\nHunk #2 FAILED at 14 (different line endings).\n2 out of 2 hunks FAILED -- saving rejects to file f.rej\n',
    after: {
      'f.orig':
        '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n10\r\n11\r\n12\r\n13\r\n14\r\n15\r\n16\r\n17\r\n18\r\n19\r\n20\r\n',
      'f.rej':
        '--- f\n+++ g\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+four\n 5\n 6\n@@ -14,5 +14,5 @@\n 14\n 15\n-16\n+sixteen\n 17\n 18\n',
    },
  },
  {
    args: '-p1',
    files: {},
    stdin: '--- /dev/null\n+++ b/x/new\n@@ -0,0 +1,2 @@\n+1\n+2\n',
    exitCode: 0,
    stdout: 'patching file x/new\n',
    after: { 'x/new': '1\n2\n' },
  },
  {
    args: '-p1 -R',
    files: { 'x/new': '1\n2\n' },
    stdin: '--- /dev/null\n+++ b/x/new\n@@ -0,0 +1,2 @@\n+1\n+2\n',
    exitCode: 0,
    stdout: 'patching file x/new\n',
    after: { 'x/new': null },
  },
  {
    args: '-p1',
    files: { 'x/new': 'other\n' },
    stdin: '--- /dev/null\n+++ b/x/new\n@@ -0,0 +1,2 @@\n+1\n+2\n',
    exitCode: 1,
    stdout:
      'The next patch would create the file x/new,\nwhich already exists!  Assume -R? [n] \nApply anyway? [n] \nSkipping patch.\n1 out of 1 hunk ignored\n',
    after: {},
  },
  {
    args: '-p1',
    files: { 'x/old': 'bye\n' },
    stdin:
      '--- a/x/old\t2024-01-01 00:00:00.000000000 +0000\n+++ b/x/old\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-bye\n',
    exitCode: 0,
    stdout: 'patching file x/old\n',
    after: { 'x/old': null },
  },
  {
    args: '-p1',
    files: { 'x/old': 'bye\nmore\n' },
    stdin:
      '--- a/x/old\t2024-01-01 00:00:00.000000000 +0000\n+++ b/x/old\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-bye\n',
    exitCode: 1,
    stdout: 'patching file x/old\nNot deleting file x/old as content differs from patch\n',
    after: { 'x/old': 'more\n' },
  },
  {
    args: '-p0',
    files: {},
    stdin: '--- a/x\n+++ b/x/new\n@@ -1 +1,2 @@\n+1\n+2\n',
    exitCode: 2,
    stdout:
      "can't find file to patch at input line 3\nPerhaps you used the wrong -p or --strip option?\nThe text leading up to this was:\n--------------------------\n|--- a/x\n|+++ b/x/new\n--------------------------\nFile to patch: \nSkip this patch? [y] \nSkipping patch.\n",
    after: {},
  },
  { args: '-p1', files: { a: 'x\n' }, stdin: 'nothing here\n', exitCode: 2, stdout: '', after: {} },
  { args: '-p1', files: { a: 'x\n' }, stdin: '', exitCode: 0, stdout: '', after: {} },
  {
    args: '',
    files: { f: 'x' },
    stdin: '--- f\n+++ f\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n',
    exitCode: 0,
    stdout: 'patching file f\n',
    after: { f: 'y\n' },
  },
]
