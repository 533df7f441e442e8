// Passwords that are called passwords, whatever they are made of and however they are written down.
import { describe, expect, test } from 'vitest';
import { findSecrets } from '../../src/secrets/find-secrets.ts';
import { classes, passwords } from './made.ts';

const inCell = (password: string): string => password.replaceAll('|', '\\|');

/** By what it is, a note with a password in it. */
const forms: Readonly<Record<string, (password: string) => string>> = {
  'in a list': (each) => `# Router\n\n- **User:** bob\n- **Password:** ${each}\n`,
  'behind a sign': (each) => `Password: ${each}\nurl: https://example.org`,
  'in a file of settings': (each) => `[db]\nuser = bob\npassword = ${each}\n`,
  'in a variable': (each) => `export DB_USER=bob\nexport DB_PASSWORD="${each}"\n`,
  'in JSON': (each) => `{\n  "user": "bob",\n  "password": ${JSON.stringify(each)},\n  "port": 5432\n}`,
  'in JSON in a string': (each) => JSON.stringify(JSON.stringify({ user: 'bob', password: each, port: 1 })),
  'in German': (each) => `Zugang fürs WLAN\nPasswort: ${each}\n`,
  'in a column': (each) => `| Site | User | Password |\n|---|:--|---|\n| a.org | bob | ${inCell(each)} |\n`,
  'in a column without bars around': (each) => `Passwort | Seite\n--- | ---\n${inCell(each)} | a.org\n`,
  'in a column of code': (each) => `| Seite | Kennwort |\n| --- | --- |\n| x.org | \`${inCell(each)}\` |`,
  'in a row': (each) => `| Key | Value |\n|---|---|\n| User | bob |\n| Password | ${inCell(each)} |\n`,
  'in Dataview': (each) => `user:: bob\npassword:: ${each}\n`,
  'in a field of Dataview': (each) => `The router [user:: bob] [password:: ${each}] is old.`,
  'below a heading': (each) => `## Password\n\n${each}\n`,
  'below a bold word': (each) => `**Password**\n${each}\n`,
  'below a bold word with a colon': (each) => `**Password:**\n${each}\n`,
  'below an item': (each) => `- User\n  bob\n- Password\n  ${each}\n`,
  'below an item, as an item': (each) => `- User\n  - bob\n- Passwort:\n  - ${each}\n`,
  'below a word': (each) => `User\nbob\nPassword\n${each}\n`,
  'below a word with a colon': (each) => `Passwort:\n${each}\n`,
  'below, in a block of code': (each) => `Password:\n\`\`\`\n${each}\n\`\`\`\n`,
  'of a login': (each) => `Login: bob / ${each}\n`,
  'of a login in German': (each) => `**Zugang:** bob@example.org / ${each}`,
  'of a login with a place': (each) => `- Zugangsdaten NAS: \`bob\` / \`${each}\``,
  'below a login': (each) => `## Login\n\n- bob / ${each}\n`,
  'below credentials': (each) => `Credentials:\nbob / ${each}\nada / ${each}\n`,
  'of a thing': (each) => `Kennwort Router: ${each}\n`,
  'for a thing': (each) => `Password for router: ${each}\n`,
  'in a sentence with a colon': (each) => `Hi! The password is: ${each}`,
  'in a sentence with a colon in German': (each) => `Das Passwort fürs WLAN lautet: ${each}\n`,
  'in one line with its user': (each) => `User: bob Password: ${each}\n`,
};

/** The mutation tester, which runs this thousands of times, asks for fewer. */
const most = Number(process.env.PROPERTY_RUNS ?? 1_000);
const names = Object.keys(classes);
const each1000 = names.flatMap((name) => passwords(name, most / names.length));

describe('of 1,000 passwords by chance all are found', () => {
  test.each(Object.keys(forms))('%s', (form) => {
    const missed = each1000.filter((password) => {
      const text = forms[form]?.(password) ?? '';
      const written = [password, inCell(password), JSON.stringify(password).slice(1, -1)].find((as) =>
        text.includes(as),
      );
      const start = text.indexOf(written ?? password);
      const end = start + (written ?? password).length;
      return !findSecrets(text).some((secret) => secret.start <= start && secret.end >= end);
    });
    expect(missed).toEqual([]);
  });
});
