-- Questions to the transcripts of an archive:  spark-sql -f questions.sql, in the folder that has them as `transcripts`.
CREATE OR REPLACE TEMPORARY VIEW transcripts USING parquet OPTIONS (path 'transcripts');

-- Hours of audio a day.
SELECT day, round(sum(audioSeconds) / 3600, 2) AS hours FROM transcripts GROUP BY day ORDER BY day;

-- Words a minute.
SELECT path, round(60 * size(split(text, ' ')) / audioSeconds) AS words_per_minute
FROM transcripts WHERE status = 'ok' AND text <> '' ORDER BY words_per_minute DESC LIMIT 20;

-- Where a term was said.
SELECT path, word.start AS second, segment.text FROM (
  SELECT path, explode(from_json(get_json_object(line, '$.transcript.segments'),
    'array<struct<text:string, words:array<struct<text:string, start:double>>>>')) AS segment
  FROM transcripts)
LATERAL VIEW explode(segment.words) AS word
WHERE lower(word.text) = 'young' ORDER BY path, second;
