// What Claude Code's program looks like where it names things, in small. No line of it is theirs.
import { expect, test } from 'vitest';
import { mcpBackgroundMs, namesIn } from './program-names.ts';

const hooks = `
var L=["PreToolUse","PostToolUse","Notification","Stop","SessionStart","SessionEnd","PreCompact","MessageDisplay"],
D=p(()=>u({session_id:r(),transcript_path:r(),cwd:r(),agent_id:r().optional().describe("of a subagent, if any")})),
S=p(()=>D().and(u({hook_event_name:P("Stop"),background_tasks:O(u({id:r(),status:r()}))}))),
W=p(()=>D().and(u({hook_event_name:P("Wake"),reason:U(["a","b"]).describe('why, in words')})));`;

const settings = `function f(e){return{$schema:()=>r().optional().describe("JSON Schema reference for Claude Code settings"),
model:()=>r().describe("the model, e.g. \\"x\\""),permissions:()=>q(e).describe("what is allowed"),...e}}
var G={voice:{buildGate:()=>!0,shape:()=>({voiceEnabled:M().describe("speak")}),more:1}},
q=(e)=>u({allow:O(r()).describe("rules {of} it"),disableBypassPermissionsMode:U(["disable"]).describe("no bypass")}),
v={notAPart:1,disableBypassPermissionsMode:x};`;

const rest = `
var T={};eo(T,{CLAUDE_CODE_ALPHA:()=>a,HTTP_PROXY:()=>b,CLAUDE_BETA:()=>c,DEBUG:()=>d,XDG_HOME:()=>e});
eo(V,{RED_COLOUR:()=>a,BLUE_COLOUR:()=>b,GREEN_COLOUR:()=>c,DARK_COLOUR:()=>d,PALE_COLOUR:()=>e});
if(process.env.DISABLE_THINGS)q("see ENABLE_MORE for more, not A_DISABLE_LESS");
z.option("-m, --model <name>","The model").addOption(new N("--hidden [x]","Not told")).option("--not a flag, words","");
var k=90000,j=1;function m(){return w("tengu_mcp_auto_background",!0)?k:0}`;

test('names are read where the program says what they are', () => {
  expect(namesIn([hooks, settings, rest])).toEqual({
    'command line flag': ['--hidden [x]', '-m, --model <name>'],
    'environment variable': [
      'CLAUDE_BETA',
      'CLAUDE_CODE_ALPHA',
      'DEBUG',
      'DISABLE_THINGS',
      'ENABLE_MORE',
      'HTTP_PROXY',
      'XDG_HOME',
    ],
    'hook event': [
      'MessageDisplay',
      'Notification',
      'PostToolUse',
      'PreCompact',
      'PreToolUse',
      'SessionEnd',
      'SessionStart',
      'Stop',
      'Wake',
    ],
    'hook field': [
      '(every event).agent_id',
      '(every event).cwd',
      '(every event).session_id',
      '(every event).transcript_path',
      'Stop.background_tasks',
      'Wake.reason',
    ],
    'part of a setting': ['permissions.allow', 'permissions.disableBypassPermissionsMode'],
    setting: ['$schema', 'model', 'permissions', 'voiceEnabled'],
  });
});

test('a program that is built differently is an error that says where to look, not a long list of what is gone', () => {
  expect(() => namesIn([hooks, rest])).toThrow(
    /shows no part of a setting, no setting\. .*adapt test\/recorded\/program-names\.ts/,
  );
});

test('the time until an MCP call goes to the background is that of its own script', () => {
  expect(mcpBackgroundMs(['var k=5;', rest])).toBe('90000');
  expect(mcpBackgroundMs([rest.replace('90000', '9e4')])).toBe('90000');
  expect(mcpBackgroundMs([hooks])).toBe('not found');
});
