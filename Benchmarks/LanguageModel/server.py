#!/usr/bin/env python3
"""A language model's server, compatible with OpenAI's API as far as Longhand uses it: a bad model, or a good one's memory.

    server.py MODEL [ENDPOINT ANSWERS [PID]]

Prints its port; answers GET with the number of open questions. MODEL is one of
- a number: chooses the alternative with this number, if there is one;
- first: chooses the first alternative, and adds a capital and a full stop, as a good model may;
- last: chooses the last alternative, and writes a name of the vocabulary where words look most like it;
- random: chooses at random, and replaces every fourth word by a name;
- nonsense: answers with numbers of no alternative, with other text, or with no JSON;
- late: says what `last` says, after the deadline;
- recorded: asks the server at ENDPOINT each question once, keeps the answer in the folder ANSWERS, and gives it at once when
  the question comes again, so that a busy machine does not change the result. An answer that took PID (a process of this
  machine, the server's) more processor time than the deadline is late every time.
"""
import difflib, hashlib, http.server, json, os, random, socketserver, sys, threading, time, urllib.request

# Seconds that a choice and a second text may take, as in CandidateReranker and TranscriptNormalizer.
DEADLINES = {'choice': 2, 'text': 30}


def question(body):
    """What is asked, in parts: how many alternatives there are; or the text and the names."""
    schema = body['response_format']['json_schema']['schema']
    said = [message['content'] for message in body['messages']]
    if 'number' in schema['properties']: return 'choice', said[-1].count('(confidence '), None
    names = said[0].split('\nThe names:\n')[-1].split('\nThe words before')[0].split('\n') if 'The names:' in said[0] else []
    # The schema follows what was said.
    return 'text', said[-1].split('\n\nAnswer with JSON')[0], names


def similar(words, names):
    """The words with a name in the place of the one or two words that look most like it, without being it."""
    said = ' '.join(words).lower()
    places = [(difflib.SequenceMatcher(None, ' '.join(words[place:place + length]).lower(), name.lower()).ratio(), place, length, name)
              for name in names if name.lower() not in said for length in (1, 2) for place in range(len(words) - length + 1)]
    if not places: return words
    _, place, length, name = max(places)
    return words[:place] + [name] + words[place + length:]


def bad(model, body, dice):
    kind, what, names = question(body)
    if kind == 'choice':
        if model == 'nonsense': return dice.choice(['{"number": 99}', '{"number": -1}', '{"text": "I was never said"}', 'The second.'])
        if model == 'first': return json.dumps({'number': 0})
        if model.isdigit(): return json.dumps({'number': int(model) if int(model) < what else 0})
        return json.dumps({'number': dice.randrange(what) if model == 'random' else what - 1})
    words = what.split()
    if model == 'nonsense':
        return dice.choice([json.dumps({'normalizedText': 'Something else was said here.', 'extractedTerms': ['else']}), '{"normalized',
                            json.dumps({'normalizedText': ' '.join(reversed(words)), 'extractedTerms': words})])
    if model == 'first': text = [what[:1].upper() + what[1:] + '.']
    elif model == 'random': text = [dice.choice(names) if names and dice.random() < .25 else word for word in words]
    else: text = similar(words, names)
    return json.dumps({'normalizedText': ' '.join(text), 'extractedTerms': names})


class Memory:
    """The answers of another server."""
    def __init__(self, endpoint, folder, process=None):
        self.endpoint, self.folder, self.process, self.lock = endpoint.rstrip('/'), folder, process, threading.Lock()
        os.makedirs(folder, exist_ok=True)

    def seconds(self):
        if not self.process: return 0
        fields = open(f'/proc/{self.process}/stat').read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def answer(self, data, headers):
        path = os.path.join(self.folder, hashlib.sha256(data).hexdigest() + '.json')
        with self.lock:
            if not os.path.exists(path):
                started = self.seconds()
                request = urllib.request.Request(f'{self.endpoint}/chat/completions', data, headers)
                try:
                    with urllib.request.urlopen(request, timeout=3600) as reply: status, text = reply.status, reply.read().decode()
                except urllib.error.HTTPError as error: status, text = error.code, error.read().decode()
                with open(path, 'w') as file:
                    json.dump({'status': status, 'body': text, 'seconds': self.seconds() - started, 'question': json.loads(data)}, file)
            return json.load(open(path))


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self): self.reply(200, str(len(pending)))

    def do_POST(self):
        pending.append(self)
        try: self.judge()
        finally: pending.remove(self)

    def judge(self):
        data = self.rfile.read(int(self.headers['Content-Length']))
        body = json.loads(data)
        kind = question(body)[0]
        status, late = 200, model == 'late'
        if model == 'recorded':
            answer = memory.answer(data, {name: self.headers[name] for name in ('Content-Type', 'Accept', 'Authorization')
                                          if name in self.headers})
            status, text, late = answer['status'], answer['body'], answer['seconds'] > DEADLINES[kind]
        else:
            # The same question gets the same answer.
            said = bad('last' if late else model, body, random.Random(hashlib.sha256(data).digest()))
            events = [{'choices': [{'index': 0, 'delta': {'content': said}}]},
                      {'choices': [{'index': 0, 'delta': {}, 'finish_reason': 'stop'}]}]
            text = ''.join(f'data: {json.dumps(event)}\n\n' for event in events) + 'data: [DONE]\n\n'
        if late: time.sleep(DEADLINES[kind] + 1)
        self.reply(status, text)

    def reply(self, status, text):
        self.send_response(status)
        self.send_header('Content-Type', 'text/event-stream' if text.startswith('data:') else 'application/json')
        self.send_header('Content-Length', str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    # Who does not wait for the answer goes away.
    def handle_error(self, *_): pass


if __name__ == '__main__':
    pending = []
    model = sys.argv[1]
    if model == 'recorded': memory = Memory(*sys.argv[2:])
    server = Server(('127.0.0.1', 0), Handler)
    print(server.server_address[1], flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    server.serve_forever()
