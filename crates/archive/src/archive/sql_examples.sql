SELECT id, white, black, result, eco_name(moves, fen, variant) AS opening FROM games LIMIT 10;
SELECT eco_name(eco) AS opening, count(*) AS games, round(100 * avg(CASE result WHEN '1-0' THEN 1 WHEN '0-1' THEN 0 ELSE 0.5 END)) AS percent
    FROM games WHERE result <> '*' GROUP BY opening ORDER BY games DESC LIMIT 10;
SELECT movetext(moves, fen, variant) FROM games WHERE id = 1;
SELECT board(moves, -1, fen, variant) FROM games WHERE id = 1;
SELECT fen(moves, 20) AS position, count(*) AS games FROM games WHERE eco BETWEEN 'B20' AND 'B99' GROUP BY position ORDER BY games DESC LIMIT 5;
SELECT p.san, count(*) FROM games, positions(games.moves, games.fen, games.variant) AS p WHERE p.ply = 1 GROUP BY 1 ORDER BY 2 DESC;
SELECT id, white, black FROM games WHERE same_player(white, 'tal*');
