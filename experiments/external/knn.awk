#!/usr/bin/awk -f
# k nearest neighbors as an external method, with k that of the spec. POSIX awk
# reads no JSON, but the line of params.json that holds a number is easy to find.

BEGIN {
	FS = ","
	while ((getline line < "params.json") > 0)
		if (line ~ /^ *"neighbors":/) {
			gsub(/[^0-9]/, "", line)
			k = line + 0
		}
	getline < "train.csv"
	while ((getline < "train.csv") > 0) {
		label[++n] = $1 + 0
		for (d = 2; d <= NF; d++)
			x[n, d - 1] = $d + 0
	}
	getline < "query.csv"
	while ((getline < "query.csv") > 0) {
		found = 0
		for (i = 1; i <= n; i++) {
			distance = 0
			for (d = 1; d <= NF; d++)
				distance += ($d - x[i, d]) * ($d - x[i, d])
			insert(distance, label[i])
		}
		print vote() > "predictions.csv"
	}
}

# insert adds a sample to the list of the nearest ones found so far, behind
# those at the same distance.
function insert(distance, label,    c) {
	if (found == k && distance >= far[found])
		return
	if (found < k)
		found++
	for (c = found; c > 1 && distance < far[c - 1]; c--) {
		far[c] = far[c - 1]
		class[c] = class[c - 1]
	}
	far[c] = distance
	class[c] = label
}

# vote returns the most frequent label of the list, the smallest of several.
function vote(    c, votes, winner) {
	for (c = 1; c <= found; c++)
		votes[class[c]]++
	for (c in votes)
		if (!winner || votes[c] > votes[winner] || votes[c] == votes[winner] && c + 0 < winner)
			winner = c + 0
	return winner
}
