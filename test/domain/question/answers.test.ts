// Answers to the questions of Claude's AskUserQuestion: what each question gets, and what is refused instead of guessed.
import { describe, expect, test } from 'vitest';
import { unfitAnswer, unfitText } from '../../../src/domain/question/answer-words.ts';
import { answersTo, askedQuestions } from '../../../src/domain/question/asked-questions.ts';

const question = (text: string, labels: string[], multiSelect = false) => ({
  question: text,
  header: text.slice(0, 5),
  options: labels.map((label) => ({ label, description: `about ${label}` })),
  multiSelect,
});
const asked = (...questions: object[]) => askedQuestions({ questions });

const colour = asked(question('Which colour?', ['Red', 'Blue']));
const two = asked(question('A or B?', ['A', 'B']), question('C or D?', ['C', 'D']));
const mixed = asked(question('Size?', ['S', 'L']), question('Fruit?', ['Fig', 'Kiwi', 'Pear'], true));
const count = asked(question('How many?', ['3', '2', '1']));

const said = (questions: typeof two, words: string) => {
  const unfit = unfitAnswer(questions, words, 'markdown');
  return unfit ? unfitText(unfit, 'abcde', 'markdown') : answersTo(questions, words);
};

describe('several questions get an answer each', () => {
  test.each([
    ['1 2', two, { 'A or B?': 'A', 'C or D?': 'D' }],
    ['1; 2', two, { 'A or B?': 'A', 'C or D?': 'D' }],
    ['１　２', two, { 'A or B?': 'A', 'C or D?': 'D' }],
    ['1；2；', two, { 'A or B?': 'A', 'C or D?': 'D' }],
    ['b; neither, thanks', two, { 'A or B?': 'B', 'C or D?': 'neither, thanks' }],
    ['2 1, 3', mixed, { 'Size?': 'L', 'Fruit?': 'Fig, Pear' }],
    ['2; 1，3', mixed, { 'Size?': 'L', 'Fruit?': 'Fig, Pear' }],
  ])('%j', (words, questions, answers) => expect(said(questions, words)).toEqual(answers));

  test.each(['1', 'whichever you like', '1;', '1,2'])('%j is not given to both', (words) => {
    expect(said(two, words)).toBe(
      'Claude asks 2 questions at once, and question 2 ("C or D\\?") has no answer yet. Reply `yes abcde 1 2` with one number for each question, in order, or `yes abcde answer 1; answer 2` with your own words. Nothing was changed.',
    );
    // Whoever hands it over all the same does not make up the other answer.
    expect(Object.keys(answersTo(two, words))).toEqual(['A or B?']);
  });

  test('an answer may be missing in the middle, and there may be too many', () => {
    expect(said(two, '; 2')).toContain('question 1 ("A or B\\?") has no answer yet');
    expect(said(two, '1 2 1')).toContain('Claude asks 2 questions, and these are 3 answers.');
    expect(said(two, '1; 2; and hurry')).toContain('these are 3 answers');
  });
});

describe('a number', () => {
  test.each(['2', '２', '2.', '2️⃣', ' blue ', 'ＢＬＵＥ'])('%j picks an option', (words) =>
    expect(said(colour, words)).toEqual({ 'Which colour?': 'Blue' }),
  );

  test('that no option has is refused with those there are', () => {
    expect(said(colour, '9')).toBe(
      'The options are 1 to 2; there is no 9. Reply `yes abcde 1` with the number of an option, or `yes abcde "9"` to say 9. Nothing was changed.',
    );
    expect(said(colour, '０')).toContain('there is no 0');
    expect(said(mixed, '1; 2,4')).toBe(
      'The options of question 2 ("Fruit\\?") are 1 to 3; there is no 4. Reply `yes abcde 1 2` with one number for each question, in order. Nothing was changed.',
    );
    expect(said(asked(question('Sure?', ['Yes'])), '2')).toContain('The only option is 1; there is no 2.');
  });

  test('between quotation marks is what it says', () => {
    expect(said(colour, '"9"')).toEqual({ 'Which colour?': '9' });
    expect(said(count, '“1”')).toEqual({ 'How many?': '1' });
  });

  test('that is also the text of another option is not guessed', () => {
    expect(said(count, '3')).toBe(
      '3 is the number of one option and the text of another one. Write `3.` with a dot for option 3, or `"3"` with quotation marks for the text. Nothing was changed.',
    );
    expect(said(count, '3.')).toEqual({ 'How many?': '1' });
    expect(said(count, '"3"')).toEqual({ 'How many?': '3' });
    expect(said(count, '2')).toEqual({ 'How many?': '2' });
    expect(said(asked(question('How many?', ['10', '20'])), '20')).toEqual({ 'How many?': '20' });
  });

  test('is an answer like any other where there are no options', () => {
    expect(said(asked(question('How old?', [])), '42')).toEqual({ 'How old?': '42' });
  });
});

test('a question in a shape that is not known takes any words', () => {
  expect(unfitAnswer(askedQuestions({ questions: 'x' }), '9', 'plain')).toBeUndefined();
});

test('own words stay as they were written', () => {
  expect(said(colour, 'ｆｕｌｌ width; and a mark')).toEqual({
    'Which colour?': 'ｆｕｌｌ width; and a mark',
  });
});

test('a question that is repeated cannot end the line it stands in', () => {
  const hostile = asked(question('A?', ['A']), question('`yes zzzzz`\n\n**x** "y" \u202e', ['B']));
  expect(said(hostile, '1')).toContain('question 2 ("\\`yes zzzzz\\` \\*\\*x\\*\\* \\\'y\\\' ⟦U\\+202E⟧")');
});
