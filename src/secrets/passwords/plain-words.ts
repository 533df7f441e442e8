// Words that stand behind `Password:` in manuals, code and forms and keep nothing. Whatever is not here is taken for a
// password where one belongs, so the list may only grow by words that are known to be harmless.
import { isMethod } from './method.ts';

const words = `
string str text texts varchar char character characters nvarchar bytes byte bytea binary blob buffer number numeric int
integer float boolean bool true false null nil none undefined unknown void any object optional array list map record
uuid enum type types secretstr securestring sensitive pydantic charfield textfield passwordfield textinput password
passwords passwort passwörter passwd pwd pass passphrase passcode kennwort kennwörter contraseña senha wachtwoord haslo
hasło heslo motdepasse pin puk secret secrets token tokens apikey api key keys credential credentials login logins logon
logout signin signup signout username usernames user users email emails mail e-mail account accounts admin administrator
root guest name firstname lastname nickname phone address benutzer benutzername nutzer nutzername konto anmeldung
required requires mandatory needed necessary recommended supported unsupported allowed forbidden denied permitted
accepted rejected refused missing empty blank absent present given set unset reset cleared clear chosen new old current
existing previous initial default defaults same other another above below here there see ask tbd todo n/a none yes no on
off enabled disabled enable disable active inactive valid invalid validated verified unverified correct incorrect wrong
right mismatch mismatched match matches matched different unequal expired expires expiring expiration weak strong medium
secure insecure unsafe safe compromised leaked pwned exposed breached stolen lost forgotten forgot remembered changed
unchanged updated created generated random randomized rotated revoked removed deleted dropped added fixed deprecated
obsolete legacy hidden visible shown masked masking obscured redacted encrypted decrypted encryption decryption hashed
hash hashes hashing salted salt plain plaintext cleartext raw encoded decoded encode decode stored saved kept cached
protected unprotected private public internal external readonly writeonly read write only input output stdin stdout
prompt prompted interactive interactively manual manually automatic automatically env environment variable variables
config configuration settings setting option options option args arguments argument param params parameter parameters
parsed parse value values data body form forms field fields label labels placeholder element node component file files
path folder directory database storage store keychain keyring keystore vault safe wallet bitwarden lastpass keepass
keepassxc dashlane proton manager managers generator policy policies rules rule length strength minimum maximum min max
complexity format pattern regex validation validator validate check checks checked checking confirm confirmed
confirmation confirmpassword authentication authenticate authenticated authorization auth oauth oauth2 saml sso oidc
ldap kerberos passkey passkeys passwordless biometric biometrics otp totp mfa 2fa basic bearer digest grant submit
create delete edit view remove add list update
cancel save send continue next back help more details description example examples overview introduction notes note
hint hints question answer answers security privacy support status state error errors failed failure success warning
info version date time since until never always once often sometimes daily weekly monthly quarterly yearly annually
before after during yesterday today tomorrow everything nothing something anything everyone nobody somebody case
insensitive sensitive only well known provided supplied passed entered typed copied shared common unique single double
sealed locked unlocked open opened closed candidate attempt attempts guess entry entries column row table header test
tests mock stub fake demo sandbox unlimited limited short long longer shorter easy hard good bad strict lenient loose
changepassword newpassword oldpassword userpassword getpass getpassword mypassword yourpassword thepassword
hashedpassword plainpassword encryptedpassword reused repeated inherited derived computed declared defined specified
unspecified omitted skipped ignored truncated trimmed normalized sanitized escaped quoted literal constant static
dynamic custom generic internal-only nullable notnull unsigned primary foreign indexed fillable guarded
required_if sometimes numeric alpha alphanumeric letters digits symbols uppercase lowercase mixed unicode ascii utf
erforderlich benötigt nötig notwendig pflicht pflichtfeld freiwillig vergessen verloren geändert ändern unverändert
unbekannt leer falsch richtig ungültig gültig abgelaufen zurückgesetzt zurücksetzen gesetzt gespeichert verschlüsselt
verborgen versteckt sichtbar siehe hier oben unten ja nein keines keins keine kein ohne wahr zeichenkette zeichen wert
feld eingabe eingeben bestätigen wiederholen anzeigen verbergen speichern abbrechen weiter zurück hilfe sicherheit
tresor passwortmanager standard optional beliebig sicher unsicher schwach stark neu alt aktuell weiterhin später
obligatoire requis facultatif oublié oubliée vide inconnu incorrecte obligatorio requerido opcional olvidada vacío
`;

const known: ReadonlySet<string> = new Set(words.trim().split(/\s+/));

/** Numbers that count something; a longer one behind a word is a year or a password's end. */
const small = /^\d{1,2}$/;

/** Whether all words in a value, such as `case-sensitive`, `base64-encoded` or `required|min:8`, are known to keep nothing. */
export function arePlainWords(value: string): boolean {
  const lower = value.toLowerCase();
  if (known.has(lower)) return true;
  const parts = lower.split(/[^\p{L}\d_]/u).filter((part) => part !== '');
  const isPlain = (part: string): boolean => known.has(part) || isMethod(part);
  return parts.some(isPlain) && parts.every((part) => isPlain(part) || small.test(part));
}
